"""The page: its packages and its build, each made again only when what it is made from changed."""

from pathlib import Path

from ground import CACHE, ROOT, UI, Stamp, digest, run, say

_MADE = {"node_modules", "dist", ".svelte-kit", "coverage"}


def install_packages(env: dict[str, str]) -> None:
    """Install the locked npm packages into `ui/node_modules`."""
    stamp = Stamp(
        UI / "node_modules" / ".made-from",
        digest([UI / "package.json", UI / "package-lock.json"]),
    )
    if stamp.holds():
        return
    say("Installing the page's packages")
    stamp.lift()
    quiet = ["--no-audit", "--no-fund", "--loglevel=error", "--no-update-notifier"]
    run(["npm", "ci", *quiet], env=env, cwd=UI)
    stamp.set()


def build(env: dict[str, str]) -> None:
    """Build the page into `ui/dist`."""
    stamp = Stamp(CACHE / "made" / "page", digest(_sources()))
    if stamp.holds() and (UI / "dist" / "index.html").exists():
        return
    say("Building the page")
    stamp.lift()
    run([UI / "node_modules" / ".bin" / "vite", "build", "--logLevel", "error"], env=env, cwd=UI)
    stamp.set()


def _sources() -> list[Path]:
    tracked = [path for path in UI.iterdir() if path.name not in _MADE]
    files = [file for path in tracked for file in ([path] if path.is_file() else path.rglob("*"))]
    return [file for file in files if file.is_file() and not _is_test(file)]


def _is_test(file: Path) -> bool:
    # The build does not read them, so a changed test must not cost a build.
    return ".test." in file.relative_to(ROOT).name
