"""What one life of a surface remembers: the newest few. Losing it costs a second press, never an answer."""

from typing import Generic, TypeVar

MOST = 300

Key = TypeVar("Key")
Value = TypeVar("Value")


class Kept(dict[Key, Value], Generic[Key, Value]):
    def __setitem__(self, key: Key, value: Value) -> None:
        self.pop(key, None)
        super().__setitem__(key, value)
        if len(self) > MOST:
            del self[next(iter(self))]
