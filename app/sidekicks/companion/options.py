"""The choice of the model as an option of the session, offered where there are several."""

from typing import Final

from sidekicks.acp import ConfigChoice, ConfigOption, SelectOption
from sidekicks.companion.models import Models
from sidekicks.companion.words import words

MODEL_OPTION: Final = "model"


def model_options(models: Models, value: str | None) -> tuple[ConfigOption, ...]:
    """Return the session's options; `value` is the model that was chosen in it."""
    current = models.choose(value)
    listed = models.models
    if current is None or len(listed) < 2:
        return ()
    if current not in listed:
        # The environment's model, which its server did not list.
        listed = (current, *listed)
    several = len({model.server for model in listed}) > 1
    choices = tuple(
        ConfigChoice(
            value=model.value,
            name=f"{model.model_id} ({model.server.name})" if several else model.model_id,
        )
        for model in listed
    )
    return (
        SelectOption(
            id=MODEL_OPTION,
            name=words("option_model"),
            category="model",
            current_value=current.value,
            options=choices,
        ),
    )
