"""Markdown as nodes."""

import json

import pytest
from hypothesis import given

from assent.text.markdown import LONGEST, parse
from tests.hostile import texts
from tests.markdown_corpus import CORPUS, outline


def test_a_plan_is_a_tree_of_nodes() -> None:
    """Kind, line, mark and words of each block."""
    assert outline(parse(CORPUS["plan"])) == [
        ["heading", 1, 1, "Move login to its own module"],
        [
            "numbers",
            [
                "item",
                "1",
                ["paragraph", 3, "Extract the token check"],
                [
                    "bullets",
                    ["item", ["paragraph", 4, "keep the old API"]],
                    ["item", ["paragraph", 5, "add ", ["code", "check_token"]]],
                ],
            ],
            ["item", "2", ["paragraph", 6, "Delete ", ["strong", "all"], " of ", ["code", "legacy/"]]],
        ],
        [
            "table",
            ["row", ["cell", "step"], ["cell", "risk"]],
            ["row", ["cell", "1"], ["cell", "low"]],
            ["row", ["cell", "2"], ["cell", "high"]],
        ],
        ["quote", ["paragraph", 13, "Ask before step 2."]],
    ]


@pytest.mark.parametrize("name", CORPUS)
def test_nodes_can_be_written_as_json(name: str) -> None:
    """They hold texts, numbers and lists of them."""
    assert json.loads(json.dumps(parse(CORPUS[name])))


@given(texts)
def test_no_letter_is_left_out(text: str) -> None:
    """Whatever is written, all of it is in the nodes."""
    seen = json.dumps(parse(text), ensure_ascii=False)
    assert [c for c in text if c.isalnum() and c not in seen] == []


@pytest.mark.parametrize("text", ["| a |\n|---|\n| 1 | lost |\n", "> " * 40 + "deep", "x\n" * LONGEST])
def test_what_markdown_would_leave_out_is_as_it_was_written(text: str) -> None:
    """Cells beyond a table's head, what is nested too deep, and very long texts."""
    nodes = parse(text)
    assert {node.kind for node in nodes} == {"written"}
    assert nodes[0].text == text.split("\n")[0]
