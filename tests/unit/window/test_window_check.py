"""Whether a window could be shown is found out without bringing Qt up."""

import subprocess
import sys

import pytest

from sidekicks.contract.errors import SidekicksError
from sidekicks.window import require_window
from sidekicks.window.libraries import find_missing

linux = pytest.mark.skipif(sys.platform != "linux", reason="Qt is the toolkit on Linux")


@linux
def test_without_a_display_it_is_said() -> None:
    with pytest.raises(SidekicksError, match="sidekicks serve"):
        require_window()


@linux
@pytest.mark.skipif(bool(find_missing()), reason="this computer lacks libraries of Qt")
def test_with_one_nothing_is_loaded_to_find_out() -> None:
    look = (
        "import sys; from sidekicks.window import require_window; require_window();"
        "print(sorted(sys.modules.keys() & {'PySide6', 'webview', 'qtpy'}))"
    )
    # As if the person had chosen: then no display is asked for.
    env = {
        "QT_QPA_PLATFORM": "offscreen",
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": ":".join(sys.path),
    }
    ran = subprocess.run(
        [sys.executable, "-c", look], env=env, capture_output=True, text=True, check=False
    )
    assert (ran.stdout.strip(), ran.stderr) == ("[]", "")
