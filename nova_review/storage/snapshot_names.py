"""What keys are called outside a study file."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, select

from nova_review.storage.schema_secret import case_secret, slice_file
from nova_review.storage.schema_study import data_set, reader


@dataclass(frozen=True, slots=True)
class Names:
    """What keys are called outside: readers by code, slices and cases by the data set's names."""

    readers: Mapping[str, str]
    files: Mapping[str, str]
    cases: Mapping[str, tuple[str, str]]  # data set code, case code

    @classmethod
    def read(cls, connection: Connection) -> "Names":
        """Read all names of the study."""
        readers = connection.execute(select(reader.c.id, reader.c.code))
        files = connection.execute(select(slice_file.c.slice_id, slice_file.c.file_name))
        cases = connection.execute(
            select(case_secret.c.case_id, data_set.c.code, case_secret.c.code).join(
                data_set, data_set.c.id == case_secret.c.data_set_id
            )
        )
        return cls(
            readers=dict(iter(readers)),
            files=dict(iter(files)),
            cases={key: (data_set_code, code) for key, data_set_code, code in cases},
        )
