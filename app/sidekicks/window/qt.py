"""Qt, the window's toolkit on Linux: brought up with care, and what pywebview leaves open, closed.

PySide6 is imported before pywebview, which makes QtPy take it whatever else is installed.
"""

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sidekicks.contract.errors import SidekicksError
from sidekicks.window.display import refuse, require_libraries
from sidekicks.window.words import say

if TYPE_CHECKING:
    from PySide6.QtWebEngineCore import QWebEngineNavigationRequest, QWebEngineNewWindowRequest


def bring_up(platforms: list[str]) -> None:
    """Load Qt and make its application object; on the main thread.

    Raises:
        SidekicksError: `unavailable`, with what to install.
    """
    if os.geteuid() == 0:
        # Chromium refuses to run as root with its sandbox; for everybody else the sandbox stays.
        os.environ["QTWEBENGINE_DISABLE_SANDBOX"] = "1"
    try:
        # The web engine must be loaded before the application object is made.
        import_module("PySide6.QtWebEngineWidgets")
        from PySide6.QtCore import QLibraryInfo
        from PySide6.QtWidgets import QApplication
    except ModuleNotFoundError as problem:
        raise SidekicksError("unavailable", say("not_installed")) from problem
    except ImportError as problem:
        raise refuse(str(problem)) from problem
    plugins = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath), "platforms")
    require_libraries(platforms, plugins)
    # pywebview takes the application that there is; its own would read our command line as Qt's.
    app = QApplication(["sidekicks"])
    app.setDesktopFileName("sidekicks")


def prefers_dark() -> bool:
    """Tell whether the desktop is dark, so that the window is so from its first moment."""
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QGuiApplication

    return QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark


class Guard:
    """Keeps the window on the app's own pages, and answers for what a page would open elsewhere.

    pywebview lets any link take the window away, hands new windows of any scheme to the browser,
    and makes `window.pywebview` anew after each load that ended, even one that was refused: the
    answers that the page still waits for would be lost.

    Args:
        native: pywebview's Qt window.
        background: the colour before the first paint.
        is_own: whether the window may go there.
        go_home: called when it is elsewhere all the same.
        open_outside: called with what a link wants to open elsewhere.
    """

    def __init__(
        self,
        native: Any,
        *,
        background: str,
        is_own: Callable[[str], bool],
        go_home: Callable[[], None],
        open_outside: Callable[[str], None],
    ) -> None:
        from PySide6.QtGui import QColor
        from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineSettings

        self._native: Final = native
        self._is_own: Final = is_own
        self._go_home: Final = go_home
        self._open_outside: Final = open_outside
        self._moved = False
        page = native.webview.page()
        assert isinstance(page, QWebEnginePage)
        self._page: Final = page
        page.setBackgroundColor(QColor(background))
        page.settings().setUnknownUrlSchemePolicy(
            QWebEngineSettings.UnknownUrlSchemePolicy.DisallowUnknownUrlSchemes
        )
        native.webview.page().nav_handler = None
        page.newWindowRequested.connect(self._on_new_window)
        page.navigationRequested.connect(self._on_navigation)
        page.loadFinished.disconnect(native.on_load_finished)
        page.loadFinished.connect(self._on_load_finished)

    def _on_navigation(self, request: "QWebEngineNavigationRequest") -> None:
        if not request.isMainFrame():
            return
        if self._is_own(url := request.url().toString()):
            self._moved = True
        else:
            request.reject()
            self._open_outside(url)

    def _on_new_window(self, request: "QWebEngineNewWindowRequest") -> None:
        self._open_outside(request.requestedUrl().toString())

    def _on_load_finished(self, good: bool) -> None:
        if not self._moved:
            return
        self._moved = False
        if good and not self._is_own(self._page.url().toString()):
            self._go_home()
        else:
            self._native.on_load_finished()


def show(native: Any) -> None:
    """Bring the window to the front, from any thread."""
    from PySide6.QtCore import Qt, QTimer

    def raise_window() -> None:
        native.setWindowState(native.windowState() & ~Qt.WindowState.WindowMinimized)
        native.show()
        native.raise_()
        native.activateWindow()

    QTimer.singleShot(0, native, raise_window)


def release_waiting(native: Any) -> None:
    """Let go who waits for an answer of the page: after the window's end it would be for ever."""
    for waiting in list(native._js_results.values()):
        waiting["semaphore"].release()
