"""Uninstalling everywhere, and leaving nothing behind."""

from pathlib import Path

from assent.harnesses.claude_code.settings import own_file
from assent.harnesses.site import Site, find
from assent.install import manifest
from assent.install.apply import apply
from assent.install.plan import plan_install
from assent.install.undo import purgeable, survey, uninstall
from assent.paths import Paths


def test_uninstall_finds_every_file_it_wrote(site: Site, settings: Path, tmp_path: Path) -> None:
    """Other projects too, from wherever it is called."""
    settings.write_text("{}\n")
    elsewhere = find({"HOME": str(site.home)}, tmp_path / "elsewhere")
    elsewhere.project.mkdir()
    for place, scope in ((site, "user"), (site, "project"), (elsewhere, "local")):
        apply(plan_install(place, scope), place.paths)  # type: ignore[arg-type]
    report = uninstall(find({"HOME": str(site.home)}, tmp_path))
    assert settings.read_text() == "{}\n"
    assert not own_file(site, "project").parent.exists()
    assert not own_file(elsewhere, "local").exists()
    assert report.refused == ()
    assert report.lines() == [
        f"{settings}: 29 entries removed; the file is byte for byte what it was before Assent.",
        f"{own_file(site, 'project')}: removed, there was no such file before Assent.",
        f"{own_file(elsewhere, 'local')}: removed, there was no such file before Assent.",
    ]


def test_uninstall_leaves_a_shared_file_it_did_not_write(site: Site) -> None:
    """A colleague's install in a checked-out project is taken out only on request."""
    path = own_file(site, "project")
    path.parent.mkdir()
    planned = plan_install(site, "project").after
    assert planned is not None
    path.write_bytes(planned)
    assert uninstall(site).lines() == ["Nothing of Assent's was found."]
    assert path.read_bytes() == planned
    uninstall(site, ["project"])
    assert path.read_bytes() == b"{}\n"


def test_uninstall_goes_on_after_a_refusal(site: Site, settings: Path) -> None:
    """One file that cannot be edited does not keep the others, and it is named."""
    apply(plan_install(site), site.paths)
    apply(plan_install(site, "local"), site.paths)
    settings.write_text("{broken")
    report = uninstall(site, purge=True)
    assert not own_file(site, "local").exists()
    assert [str(settings) in str(error) for error in report.refused] == [True]
    assert settings.read_text() == "{broken"
    assert site.paths.backup.exists(), "the backups may still be needed"
    assert any("broken" in line or str(settings) in line for line in report.lines())


def test_uninstall_says_when_others_changed_the_file(site: Site, settings: Path) -> None:
    """Then it is not the old file, but the new one without us."""
    settings.write_text('{"a": 1}')
    apply(plan_install(site), site.paths)
    settings.write_text(settings.read_text().replace('"a": 1', '"a": 2'))
    assert uninstall(site).lines() == [
        f"{settings}: 29 entries removed; changes made since stay, every other byte is as it was."
    ]
    assert settings.read_text() == '{"a": 2}'


def test_survey_shows_the_plans_without_acting(site: Site, settings: Path) -> None:
    """For the diff a person sees first."""
    apply(plan_install(site), site.paths)
    before = settings.read_bytes()
    plans = [plan for plan in survey(site).plans if not plan.is_noop]
    assert [plan.path for plan in plans] == [settings]
    assert plans[0].diff.startswith(f"--- {settings}\n+++ /dev/null\n")
    assert settings.read_bytes() == before


def test_purge_leaves_nothing_behind(site: Site, home: Path) -> None:
    """Everything Assent made is gone, the rest of the home folder as before."""
    (home / ".claude").rmdir()
    (home / ".config").mkdir()
    (home / ".local" / "state").mkdir(parents=True)
    before = sorted(home.rglob("*"))
    apply(plan_install(site), site.paths)
    site.paths.config_dir.mkdir()
    site.paths.config.write_text("version = 1\n")
    for name in ("journal.db", "journal.db-wal", "journal.db.index", "hub.log", "hub.log.1", "hub.lock"):
        (site.paths.state / name).touch()
    for path in (site.paths.hub_id, site.paths.statistics, site.paths.in_force):
        path.touch()
    report = uninstall(site, purge=True)
    assert sorted(home.rglob("*")) == before
    assert report.left == ()
    assert site.paths.config in report.purged


def test_purge_knows_every_place_that_has_a_name(site: Site) -> None:
    """Whatever is added to the locations goes, too."""
    paths = site.paths
    named = [getattr(paths, name) for name, kind in vars(Paths).items() if isinstance(kind, property)]
    inside = [path for path in named if path.parent in (paths.state, paths.config_dir)]
    assert paths.queues in inside
    for path in inside:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert uninstall(site, purge=True).left == ()


def test_purge_names_beforehand_what_goes(site: Site) -> None:
    """A person is asked with the list before their eyes."""
    assert purgeable(site.paths) == []
    apply(plan_install(site, "project"), site.paths)
    shown = set(purgeable(site.paths))
    assert site.paths.shim in shown
    # Taking the entries out forgets the manifest and keeps one more backup before both go.
    gone = set(uninstall(site, purge=True).purged)
    assert shown - gone == {manifest.location(site.paths)}
    assert gone - shown == {site.paths.backup}


def test_purge_reaches_sockets_outside_the_state_folder(site: Site, tmp_path: Path) -> None:
    """Where the state folder's name is too long for a socket."""
    far = find({"HOME": str(site.home), "ASSENT_HOME": str(tmp_path / ("x" * 100))}, site.project)
    apply(plan_install(far), far.paths)
    sock = far.paths.hook_socket
    sock.parent.mkdir(exist_ok=True)
    sock.touch()
    uninstall(far, purge=True)
    assert not sock.parent.exists()


def test_purge_removes_an_empty_assent_home(site: Site, tmp_path: Path) -> None:
    """One folder was given, one folder goes."""
    moved = find({"HOME": str(site.home), "ASSENT_HOME": str(tmp_path / "assent")}, site.project)
    apply(plan_install(moved), moved.paths)
    uninstall(moved, purge=True)
    assert not (tmp_path / "assent").exists()


def test_purge_leaves_what_it_does_not_know(site: Site) -> None:
    """A file beside ours stays."""
    apply(plan_install(site), site.paths)
    theirs = site.paths.state / "my notes.txt"
    theirs.write_text("x")
    report = uninstall(site, purge=True)
    assert report.left == (theirs,)
    assert theirs.read_text() == "x"
    assert f"{theirs}: left alone, it is not Assent's." in report.lines()


def test_purge_does_not_follow_a_link(site: Site, tmp_path: Path) -> None:
    """A state folder moved elsewhere by a link loses the link, not what is kept there."""
    apply(plan_install(site), site.paths)
    outside = tmp_path / "big disk"
    outside.mkdir()
    (outside / "data").touch()
    site.paths.spool.rmdir()
    site.paths.spool.symlink_to(outside)
    uninstall(site, purge=True)
    assert (outside / "data").exists()
    assert not site.paths.state.exists()
