"""`ui/src/contract/generated.ts` is what the contract says, and the generator says it rightly."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from sidekicks.contract import RESULTS, AnyEvent

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "build" / "contract.py"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), *arguments], capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_contract", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_committed_types_are_what_the_contract_says() -> None:
    checked = run("--check")
    assert checked.returncode == 0, checked.stderr


def test_a_stale_file_is_refused_with_the_command_that_mends_it(tmp_path: Path) -> None:
    target = tmp_path / "generated.ts"
    target.write_text("// old\n", encoding="utf-8")
    checked = run("--check", "--target", str(target))
    assert checked.returncode == 1
    assert "python build/contract.py" in checked.stderr
    assert run("--target", str(target)).returncode == 0
    assert run("--check", "--target", str(target)).returncode == 0


def test_it_says_the_same_twice(generator: ModuleType) -> None:
    assert generator.generate() == generator.generate()


def test_every_command_and_every_event_is_there(generator: ModuleType) -> None:
    text: str = generator.generate()
    for command in RESULTS:
        assert f"  {command.__struct_config__.tag}: {{\n" in text
    for event in AnyEvent.__args__:
        assert f'readonly type: "{event.__struct_config__.tag}";' in text


def test_what_the_page_sends_may_leave_out_what_has_a_default(generator: ModuleType) -> None:
    text: str = generator.generate()
    assert "readonly asText?: boolean;" in text
    assert "readonly localId?: string | null;" in text
    assert "readonly unread: number;" in text


def test_named_unions_keep_their_names_beside_null(generator: ModuleType) -> None:
    text: str = generator.generate()
    assert "readonly part: Part | null;" in text
    assert "export type Part =\n  TextPart | ThoughtPart" in text


def test_a_struct_that_is_another_is_named_after_one_that_is_there(generator: ModuleType) -> None:
    text: str = generator.generate()
    assert "export type SnapshotTaken = Snapshot;" in text
    assert "export interface Snapshot {" in text


def test_docs_name_fields_as_they_are_on_the_wire(generator: ModuleType) -> None:
    text: str = generator.generate()
    assert "`channelId`" in text
    assert "`channel_id`" not in text
