"""The `runtime:` of an entry: its type decides which of the other keys mean something."""

import re
from typing import Final, get_args

from sidekicks.config.values import Fields, Value
from sidekicks.contract.config import RuntimeConfig
from sidekicks.contract.state import RuntimeType

RUNTIME_KEYS: Final[tuple[str, ...]] = ("type", "container", "sandbox", "context", "workspacePath")

_FITTING: Final[dict[RuntimeType, tuple[str, ...]]] = {
    "local": ("type",),
    "container": ("type", "container", "context", "workspacePath"),
    "sbx": ("type", "sandbox", "workspacePath"),
}
_NEEDED: Final[dict[RuntimeType, str]] = {"container": "container", "sbx": "sandbox"}
_DOCKER_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]*")
"""Docker's own rule. What begins with a dash would be taken for an option."""


def read_runtime(value: Value | None) -> RuntimeConfig:
    """Return the runtime; this computer where nothing is said."""
    fields = value.fields("a_runtime") if value else None
    if fields is None:
        return RuntimeConfig()
    fields.check(RUNTIME_KEYS, {})
    runtime_type = _type(fields)
    if runtime_type is None:
        return RuntimeConfig()
    for name in RUNTIME_KEYS:
        if name not in _FITTING[runtime_type] and (unfit := fields.take(name)) is not None:
            unfit.findings.warn("key_unfit", key=unfit.key, line=unfit.line, type=runtime_type)
    needed = _NEEDED.get(runtime_type)
    if needed is not None and fields.take(needed) is None:
        fields.missing(needed, f"a_{needed}", word="runtime_needs", type=runtime_type)
    fitting = _FITTING[runtime_type]
    return RuntimeConfig(
        type=runtime_type,
        container=_docker_name(fields, "container") if "container" in fitting else None,
        sandbox=_docker_name(fields, "sandbox") if "sandbox" in fitting else None,
        context=_docker_name(fields, "context") if "context" in fitting else None,
        workspace_path=_workspace_path(fields) if "workspacePath" in fitting else None,
    )


def _type(fields: Fields) -> RuntimeType | None:
    value = fields.take("type")
    if value is None:
        for name, needed in _NEEDED.items():
            if fields.take(needed) is not None:
                # `{container: my-box}` is meant for that box: this computer would be a surprise.
                fields.missing("type", "a_runtime_type", word="runtime_type_missing", type=name)
                return None
        return "local"
    written = value.text("a_runtime_type")
    for known in get_args(RuntimeType):
        if written == known:
            return known
    if written is not None:
        value.refuse("unknown_runtime_type", "a_runtime_type", written=written)
    return None


def _docker_name(fields: Fields, key: str) -> str | None:
    value = fields.take(key)
    name = value and value.text(f"a_{key}")
    if value is not None and name is not None and not _DOCKER_NAME.fullmatch(name):
        return value.refuse("bad_docker_name", f"a_{key}", written=name)
    return name


def _workspace_path(fields: Fields) -> str | None:
    value = fields.take("workspacePath")
    path = value and value.text("a_workspace_path")
    if value is None or path is None:
        return None
    if not path.startswith("/"):
        return value.refuse("not_absolute", "a_workspace_path", written=path)
    return path.rstrip("/") or "/"
