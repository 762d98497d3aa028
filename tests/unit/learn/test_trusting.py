"""Rules files as their authors check them."""

from pathlib import Path

import pytest

from assent import paths as locations
from assent.config import ConfigError
from assent.learn import trusting

RULES = """
[[rule]]
match = "Edit(docs/**)"
decision = "allow"

[[rule.test]]
tool = "Edit"
input = { file_path = "docs/a.md" }
expect = "allow"

[[rule.test]]
tool = "Edit"
input = { file_path = "src/a.py" }
expect = "allow"
"""


def test_check_counts_every_rule_heard_or_not(tmp_path: Path) -> None:
    """An author wants to know of all of them, trusted or not."""
    (tmp_path / ".assent").mkdir()
    file = tmp_path / ".assent" / "rules.toml"
    file.write_text(RULES)
    rules = trusting.check(file)
    assert (len(rules), trusting.tests(rules)) == (1, 2)


def test_tests_of_a_project_run_in_its_folder(tmp_path: Path) -> None:
    """Wherever the program was started, relative paths begin there."""
    (tmp_path / ".assent").mkdir()
    file = tmp_path / ".assent" / "rules.toml"
    file.write_text(RULES)
    assert [outcome.is_good for outcome in trusting.run(file)] == [True, False]


def test_tests_of_any_file_run_in_the_project_around(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A draft can be tried anywhere."""
    (tmp_path / "shop" / "src").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "shop")
    (tmp_path / "draft.toml").write_text(RULES)
    assert [outcome.is_good for outcome in trusting.run(tmp_path / "draft.toml")] == [True, False]


def test_check_raises_what_is_wrong(tmp_path: Path) -> None:
    """With the place of it."""
    (tmp_path / "draft.toml").write_text('[[rule]]\nmatch = "Bash"\ndecision = "perhaps"\n')
    with pytest.raises(ConfigError) as caught:
        trusting.check(tmp_path / "draft.toml")
    assert caught.value.line == 3


def test_files_of_a_folder_are_those_that_are_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any there is nothing to check."""
    monkeypatch.chdir(tmp_path)
    paths = locations.find({"ASSENT_HOME": str(tmp_path / "assent")})
    assert trusting.here(paths) == []
    paths.config_dir.mkdir(parents=True)
    paths.rules.write_text("")
    assert trusting.here(paths) == [paths.rules]
