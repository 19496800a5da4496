"""A folder's contents, and a file's size, as Markdown."""

from typing import Final

from sidekicks.companion.folder import Contents
from sidekicks.companion.markdown import quote
from sidekicks.companion.words import words

_UNITS: Final = ("B", "kB", "MB", "GB", "TB")


def describe_folder(path: str, contents: Contents) -> str:
    """Return the contents as a list: folders with a slash, files with their size."""
    if not contents.entries:
        return words("folder_empty", path=quote(path))
    lines = [words("folder_holds", path=quote(path), total=contents.total), ""]
    for entry in contents.entries:
        mark = "/" if entry.is_folder else ""
        size = "" if entry.size is None else f" · {describe_size(entry.size)}"
        lines.append(f"- {quote(entry.name + mark)}{size}")
    if (more := contents.total - len(contents.entries)) > 0:
        lines += ["", words("folder_more", more=more)]
    return "\n".join(lines)


def describe_size(size: int) -> str:
    """Return bytes as people write them: 812 B, 1.4 kB."""
    amount = float(size)
    for unit in _UNITS[:-1]:
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} {_UNITS[-1]}"
