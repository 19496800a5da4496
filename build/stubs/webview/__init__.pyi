# Only what the window uses; pywebview's own annotations are partial, which strict checking refuses.
from collections.abc import Callable
from typing import Any, Literal, Self

class WebViewException(Exception): ...
class JavascriptException(Exception): ...

class Event:
    def __iadd__(self, item: Callable[..., Any]) -> Self: ...
    def is_set(self) -> bool: ...
    def wait(self, timeout: float | None = None) -> bool: ...

class EventContainer:
    before_show: Event
    closing: Event
    loaded: Event
    shown: Event

class Window:
    events: EventContainer
    native: Any
    def expose(self, *functions: Callable[..., Any]) -> None: ...
    def load_url(self, url: str) -> None: ...
    def get_current_url(self) -> str | None: ...
    def evaluate_js(self, script: str, callback: Callable[..., Any] | None = None) -> Any: ...
    def show(self) -> None: ...
    def restore(self) -> None: ...
    def destroy(self) -> None: ...

settings: dict[str, Any]

def create_window(
    title: str,
    *,
    html: str | None = None,
    width: int = 800,
    height: int = 600,
    min_size: tuple[int, int] = (200, 100),
    background_color: str = "#FFFFFF",
    text_select: bool = False,
    zoomable: bool = False,
) -> Window | None: ...
def start(
    func: Callable[[], None] | None = None,
    *,
    gui: Literal["qt"] | None = None,
    debug: bool = False,
    private_mode: bool = True,
    icon: str | None = None,
) -> None: ...
