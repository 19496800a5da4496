"""What can be chosen in a session: config options, and the older modes and models."""

from collections.abc import Iterator

from sidekicks.acp.lenient import AcpStruct


class ConfigValue(AcpStruct, frozen=True, kw_only=True):
    """A value that an option can take."""

    value: str = ""
    name: str = ""
    description: str | None = None


class ConfigChoice(ConfigValue, frozen=True, kw_only=True):
    """A value, or a group of values: then `group` and `options` are set in place of `value`."""

    group: str | None = None
    options: tuple[ConfigValue, ...] = ()


class ConfigOptionBase(AcpStruct, frozen=True, kw_only=True, tag_field="type"):
    """Something that can be set; `category` is mode, model, thought_level or another word."""

    id: str
    name: str
    description: str | None = None
    category: str | None = None


class SelectOption(ConfigOptionBase, frozen=True, kw_only=True, tag="select"):
    """One value of several."""

    current_value: str
    options: tuple[ConfigChoice, ...]

    def choices(self) -> Iterator[ConfigValue]:
        """Yield the values, those of groups too, in order."""
        for entry in self.options:
            if entry.group is None:
                yield entry
            else:
                yield from entry.options


class BooleanOption(ConfigOptionBase, frozen=True, kw_only=True, tag="boolean"):
    """On or off."""

    current_value: bool


ConfigOption = SelectOption | BooleanOption
"""An option of another type is left out when read."""


class Mode(AcpStruct, frozen=True, kw_only=True):
    """A way of working, such as asking before each change."""

    id: str
    name: str = ""
    description: str | None = None


class Modes(AcpStruct, frozen=True, kw_only=True):
    """The modes of an agent; to be ignored where it has config options."""

    current_mode_id: str
    available_modes: tuple[Mode, ...]


class Model(AcpStruct, frozen=True, kw_only=True):
    """A model that an agent can use."""

    model_id: str
    name: str = ""
    description: str | None = None


class Models(AcpStruct, frozen=True, kw_only=True):
    """The models of an agent: no longer in the protocol, but still sent by some."""

    current_model_id: str
    available_models: tuple[Model, ...]
