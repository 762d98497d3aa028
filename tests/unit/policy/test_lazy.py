"""Attributes computed on first use."""

from assent.policy.lazy import lazy


class Line:
    def __init__(self, text: str) -> None:
        self.text = text
        self.reads = 0

    @lazy
    def words(self) -> list[str]:
        """Its words."""
        self.reads += 1
        return self.text.split()


def test_attribute_is_computed_once() -> None:
    """The second look gets what the first one computed."""
    line = Line("ls -la")
    assert line.words is line.words
    assert (line.words, line.reads) == (["ls", "-la"], 1)


def test_each_instance_has_its_own_value() -> None:
    """Nothing is shared between calls."""
    assert (Line("a b").words, Line("c").words) == (["a", "b"], ["c"])


def test_attribute_of_the_class_is_the_descriptor() -> None:
    """It tells what it is for."""
    assert isinstance(Line.words, lazy)
    assert Line.words.__doc__ == "Its words."
