"""Session options: one shape for the person, whichever way the agent offers them."""

from typing import Any

import msgspec
import pytest

from sidekicks.acp import (
    BooleanOption,
    ConfigChoice,
    ConfigOption,
    ConfigValue,
    Mode,
    Model,
    Models,
    Modes,
    SelectOption,
    SessionOpened,
)
from sidekicks.agents.options import offered_by, options_of, with_value
from sidekicks.contract.state import OptionChoice, SessionOption

EFFORT = SelectOption(
    id="effort",
    name="Effort",
    category="thought_level",
    current_value="low",
    options=(ConfigChoice(value="low", name="Low"), ConfigChoice(value="high")),
)
MODES = Modes(current_mode_id="ask", available_modes=(Mode(id="ask", name="Ask"), Mode(id="go")))
MODELS = Models(current_model_id="m1", available_models=(Model(model_id="m1"),))


def shown(*offered: ConfigOption) -> list[dict[str, Any]]:
    return msgspec.json.decode(msgspec.json.encode(options_of(offered)))


def test_a_selection_shows_its_values_in_order_and_a_name_for_each() -> None:
    assert shown(EFFORT) == [
        {
            "optionId": "effort",
            "name": "Effort",
            "category": "thought_level",
            "source": "config",
            "value": "low",
            "choices": [{"value": "low", "name": "Low"}, {"value": "high", "name": "high"}],
        }
    ]


def test_values_in_groups_are_all_there() -> None:
    grouped = SelectOption(
        id="model",
        name="Model",
        current_value="b",
        options=(
            ConfigChoice(
                group="g1",
                name="Small",
                options=(ConfigValue(value="a", name="A"), ConfigValue(value="b", name="B")),
            ),
            ConfigChoice(value="c", name="C"),
            ConfigChoice(group="g2", name="None yet"),
        ),
    )
    (option,) = shown(grouped)
    assert [choice["value"] for choice in option["choices"]] == ["a", "b", "c"]


def test_a_switch_has_no_choices() -> None:
    (option,) = shown(BooleanOption(id="web", name="Web search", current_value=True))
    assert (option["value"], option["choices"], option["category"]) == (True, [], None)


@pytest.mark.parametrize(
    ("opened", "expected"),
    [
        pytest.param(SessionOpened(session_id="s"), [], id="nothing"),
        pytest.param(
            SessionOpened(session_id="s", modes=MODES), [("mode", "mode", "ask")], id="modes"
        ),
        pytest.param(
            SessionOpened(session_id="s", models=MODELS), [("model", "model", "m1")], id="models"
        ),
        pytest.param(
            SessionOpened(session_id="s", modes=MODES, models=MODELS),
            [("mode", "mode", "ask"), ("model", "model", "m1")],
            id="both",
        ),
        pytest.param(
            SessionOpened(session_id="s", modes=MODES, models=MODELS, config_options=(EFFORT,)),
            [("effort", "config", "low")],
            id="config options alone count",
        ),
        pytest.param(
            SessionOpened(session_id="s", modes=MODES, config_options=()),
            [("mode", "mode", "ask")],
            id="an empty list of options is none",
        ),
    ],
)
def test_what_a_session_offers(opened: SessionOpened, expected: list[tuple[str, str, str]]) -> None:
    offered = [(o.option_id, o.source, o.value) for o in offered_by(opened)]
    assert offered == expected


def test_a_mode_without_a_name_is_called_by_its_id() -> None:
    (option,) = offered_by(SessionOpened(session_id="s", modes=MODES))
    assert option.choices == (
        OptionChoice(value="ask", name="Ask"),
        OptionChoice(value="go", name="go"),
    )


def test_another_value_changes_one_option_and_keeps_the_order() -> None:
    options = offered_by(SessionOpened(session_id="s", modes=MODES, models=MODELS))
    changed = with_value(options, "model", "m2")
    assert [(o.option_id, o.value) for o in changed] == [("mode", "ask"), ("model", "m2")]
    assert [(o.option_id, o.value) for o in options] == [("mode", "ask"), ("model", "m1")]
    assert with_value(options, "nothing", "x") == options


def test_a_value_may_be_one_that_is_not_among_the_choices() -> None:
    (option,) = with_value(
        [
            SessionOption(
                option_id="mode", name="Mode", category=None, source="mode", value="a", choices=()
            )
        ],
        "mode",
        "b",
    )
    assert option.value == "b"
