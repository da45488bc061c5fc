"""What several self-tests share."""

import contextlib
import os
from pathlib import Path

import pytest

from autograder.author import release as release_module
from autograder.author.cases import make_cases
from autograder.author.release import release

# `make check` leaves these to its children; a make that a test starts must not know of it.
for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
    os.environ.pop(name, None)


@pytest.fixture(scope="session")
def zips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a release: student.zip, autograder.zip and the seed they were made from.

    Only what tells students their mistake by name is not in it: that takes a minute to find out.
    Where tests run in several processes the first release that is ready is everybody's.
    """
    draft = tmp_path_factory.mktemp("release")
    several = "PYTEST_XDIST_WORKER" in os.environ
    shared = tmp_path_factory.getbasetemp().parent / "release" if several else draft
    if draft == shared or not shared.exists():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(release_module, "write_cases", make_cases)
            release(draft / "seed.txt", draft)
        with contextlib.suppress(OSError):  # another process was faster
            draft.rename(shared)
    return shared
