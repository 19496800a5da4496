"""Text of others shown as it is."""

import pytest

from sidekicks.companion.folder import Contents, Entry
from sidekicks.companion.listing import describe_folder, describe_size
from sidekicks.companion.markdown import fence, quote


def test_a_fence_is_longer_than_any_in_the_text() -> None:
    assert fence("a\n", "py") == "```py\na\n```"
    assert fence("````\nx") == "`````\n````\nx\n`````"


def test_a_name_is_quoted_whatever_it_holds() -> None:
    assert quote("a_b*.md") == "`a_b*.md`"
    assert quote("a`b") == "`` a`b ``"
    assert quote("a\nb") == "`a⏎b`"


@pytest.mark.parametrize(
    ("size", "told"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1_400_000, "1.4 MB"), (10**16, "10000.0 TB")],
)
def test_sizes(size: int, told: str) -> None:
    assert describe_size(size) == told


def test_a_folder_as_a_list() -> None:
    contents = Contents((Entry("src", is_folder=True), Entry("a.py", False, 12)), 5)
    assert describe_folder(".", contents) == (
        "`.`, 5 in all:\n\n- `src/`\n- `a.py` · 12 B\n\n… and 3 more."
    )
    assert describe_folder("sub", Contents((), 0)) == "`sub` is empty."
