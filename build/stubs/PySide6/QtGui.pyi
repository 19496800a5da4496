from PySide6.QtCore import Qt

class QColor:
    def __init__(self, name: str) -> None: ...

class QStyleHints:
    def colorScheme(self) -> Qt.ColorScheme: ...

class QGuiApplication:
    @staticmethod
    def styleHints() -> QStyleHints: ...
