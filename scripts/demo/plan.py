"""All demo cases, in the order of their codes."""

from demo.cases import CasePlan
from demo.focal import FOCAL
from demo.masses import MASSES
from demo.midline import MIDLINE
from demo.normal import NORMALS
from demo.white_matter import WHITE_MATTER

CASES: tuple[CasePlan, ...] = tuple(
    sorted((*MASSES, *MIDLINE, *WHITE_MATTER, *FOCAL, *NORMALS), key=lambda plan: plan.code)
)
