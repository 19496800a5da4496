"""The pages are whole: links lead somewhere, both languages say the same, what they name exists."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from fakes.config_files import read
from sidekicks.system import find_executable

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
PAGES = sorted(
    [ROOT / "README.md", ROOT / "CHANGELOG.md", *DOCS.rglob("*.md"), *(ROOT / "adr").glob("*.md")]
)
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
ENGLISH = sorted(str(page.relative_to(DOCS / "en")) for page in (DOCS / "en").rglob("*.md"))
BOTH = ("en", "fr")

_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|srcset)=\"([^\"]+)\"")
_PATH = re.compile(r"`((?:adr|app|build|docs|packaging|tests|ui)/[\w./-]+)`")
_MADE = ("ui/dist", "ui/node_modules")
"""What the set-up makes; not there in a fresh checkout."""


def prose(page: Path) -> str:
    """Return a page without its blocks of code."""
    return _FENCE.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """Return what a link can lead to within a page, as GitHub makes it of the headings."""
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE):
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        found.add(re.sub(r"[^\w\- ]", "", text).replace(" ", "-"))
    return found


def links(page: Path) -> list[str]:
    """Return where the page's links lead, but those to other sites."""
    found = [link or source for link, source in _LINK.findall(prose(page))]
    return [link for link in found if not link.startswith(("https://", "http://", "mailto:"))]


@pytest.mark.parametrize("name", NAMES)
def test_every_link_leads_somewhere(name: str) -> None:
    page = ROOT / name
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.is_relative_to(ROOT), link
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target), f"{link}: {sorted(anchors(target))}"


@pytest.mark.parametrize("name", NAMES)
def test_every_file_that_is_named_exists(name: str) -> None:
    for path in _PATH.findall(prose(ROOT / name)):
        assert path.startswith(_MADE) or (ROOT / path).exists(), path


def test_both_languages_have_the_same_pages() -> None:
    french = sorted(str(page.relative_to(DOCS / "fr")) for page in (DOCS / "fr").rglob("*.md"))
    assert french == ENGLISH


@pytest.mark.parametrize("name", ENGLISH)
def test_both_languages_have_the_same_parts(name: str) -> None:
    english, french = (_parts(DOCS / language / name) for language in BOTH)
    assert french == english


def _parts(page: Path) -> list[str]:
    """Return the page's headings by their level, tables by their rows, lists and blocks of code."""
    text = page.read_text(encoding="utf-8")
    return re.findall(r"^(#+ |\||```\w*|\d\. |- )", text, re.MULTILINE)


@pytest.mark.parametrize("name", [n for n in ENGLISH if "README" not in n])
def test_the_first_page_leads_to_every_page(name: str) -> None:
    for language in BOTH:
        assert name in links(DOCS / language / "README.md")


@pytest.mark.parametrize("language", BOTH)
def test_a_configuration_that_is_shown_is_read_without_a_problem(language: str) -> None:
    page = DOCS / language / "how-to" / "add-an-agent.md"
    shown = re.findall(r"```yaml\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    assert len(shown) == 2
    for text in shown:
        reading = read(text)
        assert reading.problems == ()
        assert reading.config.agents


def test_the_readme_tells_every_command_of_the_makefile() -> None:
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    development = (DOCS / "development.md").read_text(encoding="utf-8")
    for target in targets:
        assert f"make {target}" in readme
        assert f"make {target}" in development


def test_every_folder_of_tests_is_told() -> None:
    development = (DOCS / "development.md").read_text(encoding="utf-8")
    for folder in (ROOT / "tests").iterdir():
        if folder.is_dir() and any(folder.rglob("*.py")):
            assert f"`tests/{folder.name}" in development


@pytest.mark.parametrize("language", BOTH)
def test_every_package_is_told_in_the_order_of_the_layers(language: str) -> None:
    page = DOCS / language / "explanation" / "architecture.md"
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", prose(page), re.MULTILINE)
    told = [re.findall(r"\w+", row) for row in rows if "-" not in row]
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    assert told[: len(layers)] == [layer.split(" | ") for layer in layers]
    packages = {path.parent.name for path in (ROOT / "app" / "sidekicks").glob("*/__init__.py")}
    assert {name for row in told for name in row} >= packages


def test_the_changelog_has_a_place_for_what_comes() -> None:
    headings = re.findall(r"^##+ (.+)$", prose(ROOT / "CHANGELOG.md"), re.MULTILINE)
    assert headings[0] == "[Unreleased]"
    kinds = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    for heading in headings[1:]:
        assert heading in kinds or re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", heading)


@pytest.mark.parametrize("name", NAMES)
def test_no_page_names_a_place_on_somebodys_computer(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert not re.search(r"(?<![\w~.$])/(?:home|Users|root|tmp|work|opt)/", text)


def test_no_file_names_this_checkout_or_the_host_of_a_registry() -> None:
    files = [ROOT / name for name in _tracked()] or PAGES
    hosts = ["pypi" + ".org", "python" + "hosted.org", "registry.npm" + "js.org", "npm" + "mirror"]
    # A checkout right below the root may be called like anything.
    place = f"{ROOT}/" if len(ROOT.parts) > 2 else hosts[0]
    for file in files:
        if file.is_file():
            text = file.read_text(encoding="utf-8", errors="ignore")
            assert [word for word in (*hosts, place) if word in text] == [], file


def _tracked() -> list[str]:
    git = find_executable("git", "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin")
    if git is None or not (ROOT / ".git").exists():
        return []
    listing = subprocess.run([git, "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    return listing.stdout.decode().split("\0")[:-1]
