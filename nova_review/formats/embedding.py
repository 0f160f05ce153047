"""A picture as it goes into a study file: the intensities alone, nothing else its file may say.

What is decoded here is what a reader would be shown from the file itself: grey of 8 bit, or the
full range of wider data. Texts, dates, names and thumbnails of the file are left behind.
"""

import hashlib
import io

from PIL import Image

from nova_review.domain.dataset import DataSet, SliceRecord
from nova_review.domain.errors import FormatError
from nova_review.formats.images import DecodedImage, decode
from nova_review.formats.nova_paths import read_picture


def picture_to_embed(data_set: DataSet, record: SliceRecord) -> bytes:
    """Return a slice's picture as PNG (TIFF where its range does not fit), without metadata.

    Raises FormatError naming the file if it cannot be read or is no longer what was checked.
    """
    if record.image_path is None:
        raise FormatError(f"{record.file_name} has no picture.")
    data = read_picture(data_set.root, record.image_path)
    if record.sha256 is not None and hashlib.sha256(data).hexdigest() != record.sha256:
        raise FormatError(
            f"{record.image_path} was changed while the study was being made. Nothing was written; try again."
        )
    return encoded(decode(data, name=record.image_path))


def encoded(picture: DecodedImage) -> bytes:
    """Return a decoded picture as the bytes of a file that decodes to the same."""
    size = (picture.width, picture.height)
    if picture.wide is None:
        return _saved(Image.frombytes("L", size, picture.pixels), "PNG")
    import numpy as np  # slow import, for wide data only

    values = np.frombuffer(picture.wide, dtype="<f4").reshape(picture.height, picture.width)
    whole = (
        bool(np.all(values == np.round(values))) and float(values.min()) >= 0 and float(values.max()) <= 65535
    )
    if whole:
        return _saved(Image.fromarray(values.astype("<u2")), "PNG")
    return _saved(Image.fromarray(values.astype("<f4")), "TIFF")


def _saved(picture: Image.Image, file_format: str) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, format=file_format)
    return buffer.getvalue()
