"""What a demo case and a demo slice are: the plan that pictures, texts and readers follow."""

from dataclasses import dataclass, field

from demo.lesions import Lesion
from demo.patient import Push
from demo.scanner import Artefact


@dataclass(frozen=True, slots=True)
class SlicePlan:
    """One slice: how it is cut, in which sequence, what its caption says.

    `place` is in mm. `source` names a real picture used as it is: "pd:13", "coronal-t1".
    `where` is the anatomical place of what is seen, in the study's words.
    """

    plane: str
    place: float
    sequence: str
    caption: str
    where: str = ""
    artefact: Artefact = field(default=Artefact())
    source: str = ""
    noise: float = 1.0


@dataclass(frozen=True, slots=True)
class CasePlan:
    """One patient: the lesions and slices, and what the tables say of him.

    `kind` is the label of the findings; `others` are further answers of readers and models,
    the nearest to the truth first; `synonyms` are other names of the final diagnosis.
    """

    code: str
    seed: int
    history: str
    title: str
    published: str
    differential: tuple[str, ...]
    diagnosis: str
    synonyms: tuple[str, ...]
    kind: str
    slices: tuple[SlicePlan, ...]
    lesions: tuple[Lesion, ...] = ()
    pushes: tuple[Push, ...] = ()
    ventricles: float = 0.0
    head: str = "single"

    def file_name(self, index: int) -> str:
        """Return the file name of slice `index` (from 0) in the layout's way."""
        return f"{self.code}_{index + 1:03d}.png"
