"""The list of parts: each is whole once it is made."""

import ast
import inspect

from assent.hub import build, daemon


def test_nothing_is_patched_into_a_part_after_it_was_made() -> None:
    """Parts get what they work with in their constructor; what happens they hear over the bus."""
    for module in (build, daemon):
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            targets = node.targets if isinstance(node, ast.Assign) else []
            patched = [ast.unparse(target) for target in targets if isinstance(target, ast.Attribute)]
            assert patched == [], f"line {node.lineno} of {module.__name__}"  # type: ignore[attr-defined]


def test_no_part_is_given_a_function_made_on_the_spot() -> None:
    """A lambda in the list of parts hides who works with whom."""
    tree = ast.parse(inspect.getsource(build))
    assert [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Lambda)] == []
