"""To-do lists: what a change does to one."""

from assent.protocol import todos
from assent.protocol.todos import LONGEST, MOST, Todo, TodoChange, applied, entry

ONE, TWO = Todo("Write it", "doing", "1"), Todo("Test it", "open", "2")


def test_entries_are_added_changed_and_dropped_by_id() -> None:
    """What a change leaves out stays as it was."""
    made = applied((), TodoChange((ONE, Todo("Test it", id="2"))))
    assert made == (ONE, TWO)
    made = applied(made, TodoChange((Todo(state="done", id="1"), Todo("Test it well", id="2"))))
    assert made == (Todo("Write it", "done", "1"), Todo("Test it well", "open", "2"))
    assert applied(made, TodoChange(dropped=("1",))) == (Todo("Test it well", "open", "2"),)


def test_whole_list_replaces_the_one_before() -> None:
    """Also one whose entries have no ids; equal texts stay two entries."""
    made = applied((ONE, TWO), TodoChange((Todo("a", "done"), Todo("a", "doing")), is_whole=True))
    assert made == (Todo("a", "done"), Todo("a", "doing"))
    assert applied(made, TodoChange(is_whole=True)) == ()


def test_unknown_entry_without_text_is_passed_over() -> None:
    """It was made before anything was heard."""
    assert applied((ONE,), TodoChange((Todo(state="done", id="9"),))) == (ONE,)


def test_list_and_texts_are_bounded() -> None:
    """However much an agent writes."""
    many = TodoChange(tuple(Todo("x", "open", str(at)) for at in range(MOST + 9)))
    assert len(applied((), many)) == MOST
    long = entry(f"a\n\tb{'c' * 1_000}", "open", "7" * 41)
    assert (len(long.text), long.text[:3], long.id) == (LONGEST, "a b", "")
    assert entry(7).text == ""


def test_summary_counts_and_names_what_it_is_at() -> None:
    """Nothing is said without a list."""
    assert todos.summary((Todo("a", "done"), ONE, TWO)) == "1 of 3 done, now: Write it"
    assert todos.summary((TWO,)) == "0 of 1 done"
    assert todos.summary(()) == ""


def test_record_in_another_form_is_passed_over() -> None:
    """A journal may hold anything."""
    assert todos.read({"todos": {"items": [{"state": "lost"}]}}) is None
    assert todos.read({}) is None
    assert todos.read({"todos": {"items": [{"text": "a"}]}}) == TodoChange((Todo("a"),))
