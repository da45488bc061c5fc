"""What several self-tests share."""

from pathlib import Path

import pytest

from autograder.author.release import release


@pytest.fixture(scope="session")
def zips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a release: student.zip, autograder.zip and the seed they were made from."""
    folder = tmp_path_factory.mktemp("release")
    release(folder / "seed.txt", folder)
    return folder
