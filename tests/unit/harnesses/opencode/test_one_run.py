"""One run of opencode with our plugin, given by a variable."""

import json
from pathlib import Path

import pytest

from assent.errors import UsageError
from assent.harnesses.opencode import check_run, prints_only, run_plan
from assent.harnesses.opencode.one_run import SETTINGS
from assent.harnesses.site import Site
from assent.paths import find
from assent.protocol.modes import VARIABLE, Run


@pytest.fixture
def site(tmp_path: Path) -> Site:
    environ = {"HOME": str(tmp_path)}
    return Site(find(environ), tmp_path, tmp_path, environ=environ)


def test_plugin_is_added_to_what_they_gave(site: Site) -> None:
    """Nothing of theirs is lost, and the run is known to the shim."""
    environ = {SETTINGS: json.dumps({"model": "a/b", "plugin": ["other"]}), "KEPT": "1"}
    run = Run(id="ab", on_ask="deny")
    words = ["opencode", "run", "go"]
    made = run_plan(words, "/bin/opencode", site.home / "x", environ=environ, site=site, run=run, token="")
    settings = json.loads(made.env[SETTINGS])
    assert settings == {"model": "a/b", "plugin": ["other", (site.paths.shim / "opencode.js").as_uri()]}
    assert made.argv == ["/bin/opencode", "run", "go"]
    assert made.env["KEPT"] == "1"
    assert "id=ab" in made.env[VARIABLE]


@pytest.mark.parametrize(
    "words", [["run", "--pure", "go"], ["run", "--attach=http://x", "go"], ["auth", "login"], ["--version"]]
)
def test_run_that_could_not_be_gated_is_refused(site: Site, words: list[str]) -> None:
    with pytest.raises(UsageError):
        check_run(["opencode", *words], {}, site)


@pytest.mark.parametrize("environ", [{"OPENCODE_PURE": "1"}, {SETTINGS: "{"}, {SETTINGS: '{"plugin": "x"}'}])
def test_environment_that_leaves_no_plugin_is_refused(site: Site, environ: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        check_run(["opencode", "run", "go"], environ, site)


def test_words_of_the_prompt_are_no_options(site: Site) -> None:
    check_run(["opencode", "run", "--", "--pure"], {}, site)
    assert prints_only(["opencode", "run", "go"])
    assert not prints_only(["opencode"])
