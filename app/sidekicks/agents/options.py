"""Session options as the person sees them, from whichever way the agent offers them."""

from collections.abc import Iterable, Sequence

import msgspec

from sidekicks.acp import BooleanOption, ConfigOption, SelectOption, SessionOpened
from sidekicks.contract.state import OptionChoice, SessionOption


def options_of(offered: Iterable[ConfigOption]) -> tuple[SessionOption, ...]:
    """Return config options; the list is always complete."""
    return tuple(_option(option) for option in offered)


def offered_by(opened: SessionOpened) -> tuple[SessionOption, ...]:
    """Return what a new session offers. Where there are config options, they alone count."""
    if opened.config_options:
        return options_of(opened.config_options)
    offered: list[SessionOption] = []
    if (modes := opened.modes) is not None:
        offered.append(
            SessionOption(
                option_id="mode",
                name="Mode",
                category="mode",
                source="mode",
                value=modes.current_mode_id,
                choices=tuple(
                    OptionChoice(value=mode.id, name=mode.name or mode.id)
                    for mode in modes.available_modes
                ),
            )
        )
    if (models := opened.models) is not None:
        offered.append(
            SessionOption(
                option_id="model",
                name="Model",
                category="model",
                source="model",
                value=models.current_model_id,
                choices=tuple(
                    OptionChoice(value=model.model_id, name=model.name or model.model_id)
                    for model in models.available_models
                ),
            )
        )
    return tuple(offered)


def with_value(
    options: Sequence[SessionOption], option_id: str, value: str | bool
) -> tuple[SessionOption, ...]:
    """Return the options with one of them changed."""
    return tuple(
        msgspec.structs.replace(option, value=value) if option.option_id == option_id else option
        for option in options
    )


def _option(option: ConfigOption) -> SessionOption:
    match option:
        case SelectOption():
            choices = tuple(
                OptionChoice(value=choice.value, name=choice.name or choice.value)
                for choice in option.choices()
            )
        case BooleanOption():
            choices = ()
    return SessionOption(
        option_id=option.id,
        name=option.name,
        category=option.category,
        source="config",
        value=option.current_value,
        choices=choices,
    )
