"""The desk socket against agents that hide where they come from, and for people at their terminals."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator

import pytest

from assent.hub.access.agents import Agents
from assent.hub.access.caller import Peer
from assent.hub.access.origin import Origin, Origins
from assent.hub.processes import birth
from tests.component.hub.agent_process import AT_A_TERMINAL, DETACHED, PAUSE, SEND, AgentProcess, agent_of, python
from tests.component.hub_process import HubProcess, bash

END = {"session_id": "s1", "hook_event_name": "SessionEnd", "reason": "other", "cwd": "/p", "transcript_path": "/t"}
CLEARED = None


@pytest.fixture
def agent(hub: HubProcess) -> Iterator[AgentProcess]:
    """One that the hub knows by its first event."""
    with agent_of(hub) as found:
        found.hook()
        yield found


def said(line: list[str]) -> tuple[int, str]:
    status, _, code = line[0].partition(" ")
    return int(status), code


def pause_from(argv: list[str]) -> tuple[int, str]:
    return said(subprocess.run(argv, check=True, capture_output=True, text=True).stdout.splitlines())


def persons_pause(hub: HubProcess) -> list[str]:
    return python(PAUSE, str(hub.paths.desk_socket), "0")


def at_a_terminal(*argv: str) -> list[str]:
    return python(AT_A_TERMINAL, *argv)


def test_child_of_an_agent_may_only_watch(agent: AgentProcess) -> None:
    """The sentence says where to do it instead."""
    assert said(agent.run(agent.pause())) == (403, "scope")


@pytest.mark.parametrize(
    "environ",
    [{"CLAUDE_PID": "1"}, {"CLAUDE_PID": "999999"}, {"CLAUDE_PID": "x" * 40, "CLAUDECODE": "0"}, CLEARED],
    ids=["one", "nobody", "no-number", "cleared"],
)
@pytest.mark.parametrize("wrap", [[], ["setsid"]], ids=["child", "session-of-its-own"])
def test_environment_of_its_choice_does_not_lift_a_child(
    agent: AgentProcess, environ: dict[str, str] | None, wrap: list[str]
) -> None:
    """Its parents tell."""
    program = ["/usr/bin/env", *wrap] if wrap else []
    assert said(agent.run([*program, *agent.pause()], environ)) == (403, "scope")


@pytest.mark.parametrize(
    ("event", "claimed"),
    [(END, "{pid}"), (bash("ls"), "999999"), (bash("ls"), "1"), (bash("ls"), "x1")],
    ids=["session-end", "nobody", "one", "no-number"],
)
def test_forged_event_does_not_lift_an_agent(agent: AgentProcess, event: dict[str, str], claimed: str) -> None:
    """Who is known stays known while its process lives."""
    agent.hook(event, claimed=claimed)
    assert said(agent.run(agent.pause())) == (403, "scope")
    assert said(agent.run(agent.pause(), CLEARED)) == (403, "scope")


@pytest.mark.parametrize("environ", [{}, CLEARED], ids=["marked", "cleared"])
def test_child_that_lost_its_parents_may_only_watch(agent: AgentProcess, environ: dict[str, str] | None) -> None:
    """By its environment, or because it began after the agent in the agent's own group of processes."""
    agent.tell(python(DETACHED, *agent.pause()), environ)
    lines = {agent.hear(), agent.hear()} - {"done"}
    assert lines == ({"403 scope"} if environ is not None else {"403 unconfirmed"})


def test_child_that_outlives_its_agent_may_only_watch(agent: AgentProcess) -> None:
    """The environment it got stays with it."""
    agent.tell(python(DETACHED, *agent.pause(wait=agent.pid)), {})
    assert agent.hear() == "done"
    agent.kill()
    assert agent.hear() == "403 scope"


def test_child_that_outlives_its_agent_without_an_environment_cannot_act_for_longer(agent: AgentProcess) -> None:
    """It has no terminal."""
    agent.tell(python(DETACHED, *agent.pause(wait=agent.pid)), CLEARED)
    assert agent.hear() == "done"
    agent.kill()
    assert agent.hear() == "403 no-terminal"


@pytest.mark.parametrize("environ", [{}, CLEARED], ids=["marked", "cleared"])
def test_terminal_that_an_agent_made_is_not_a_persons(agent: AgentProcess, environ: dict[str, str] | None) -> None:
    """As `script` makes one."""
    assert said(agent.run(at_a_terminal(*agent.pause()), environ)) == (403, "scope")


def test_terminal_of_a_program_that_left_its_agent_is_not_a_persons(agent: AgentProcess) -> None:
    """As `env -i setsid -f script` makes one, or a tmux of its own."""
    agent.tell(python(DETACHED, *at_a_terminal(*agent.pause())), CLEARED)
    assert {agent.hear(), agent.hear()} == {"403 unconfirmed", "done"}


def test_connection_whose_maker_is_gone_may_only_watch() -> None:
    """Its process id may be another's by now."""
    origins = Origins(Agents())
    assert origins.of(Peer(pid=os.getpid(), uid=0, birth=birth(os.getpid()))) is Origin.PERSON
    assert origins.of(Peer(pid=os.getpid(), uid=0, birth=(birth(os.getpid()) or 0) + 1)) is Origin.AGENT
    assert origins.of(Peer(pid=os.getpid(), uid=0, birth=None)) is Origin.AGENT
    assert origins.of(Peer(pid=0, uid=0)) is Origin.AGENT


@pytest.mark.parametrize("name", ["CLAUDECODE", "CLAUDE_PID", "GEMINI_CLI", "CODEX_SANDBOX", "CURSOR_AGENT"])
def test_child_of_any_agent_is_known_by_its_environment(hub: HubProcess, name: str) -> None:
    """Also of agents that never said anything to this hub."""
    marked = ["/usr/bin/env", f"{name}=1", *at_a_terminal(*persons_pause(hub))]
    assert pause_from(marked) == (403, "scope")
    # Nor does it help to drop it on the way.
    dropped = ["/usr/bin/env", "-u", name, *persons_pause(hub)]
    script = f"import subprocess; subprocess.run({dropped!r})"
    assert pause_from(["/usr/bin/env", f"{name}=1", *at_a_terminal(*python(script))]) == (403, "scope")


@pytest.mark.parametrize("shell", [False, True], ids=["directly", "by-a-shell"])
def test_agent_is_learned_from_its_hooks(hub: HubProcess, shell: bool) -> None:
    """Clients start hooks themselves or with a shell."""
    with agent_of(hub) as agent:
        assert said(agent.run(at_a_terminal(*agent.pause()), CLEARED)) == (200, "")
        agent.hook(shell=shell)
        assert said(agent.run(at_a_terminal(*agent.pause()), CLEARED)) == (403, "scope")


def test_agent_is_known_again_after_a_restart(hub: HubProcess) -> None:
    """Before its next event."""
    with agent_of(hub) as agent:
        agent.hook()
        hub.stop()
        hub.start()
        assert said(agent.run(at_a_terminal(*agent.pause()), CLEARED)) == (403, "scope")


def test_person_at_a_terminal_may_pause_beside_an_agent(agent: AgentProcess, hub: HubProcess) -> None:
    """Also in one that was opened after the agent started."""
    assert hub.api("PUT", "/api/pause", b'{"seconds":9}')[0] == 200
    assert pause_from(at_a_terminal(*persons_pause(hub))) == (200, "")


def test_forged_event_does_not_lock_a_person_out(agent: AgentProcess, hub: HubProcess) -> None:
    """Whichever process it names: the person's terminal, the system's first process, or the agent's parent."""
    for claimed in (os.getpid(), os.getppid(), 1):
        agent.hook(claimed=str(claimed))
        agent.hook(claimed=str(claimed), shell=True)
    assert hub.api("PUT", "/api/pause", b'{"seconds":9}')[0] == 200


def test_shell_of_a_person_is_never_taken_for_an_agent(hub: HubProcess) -> None:
    """Also if what it started says so."""
    forged = shlex.join(python(SEND, str(hub.paths.hook_socket), json.dumps(bash("ls"))))
    asked = shlex.join(persons_pause(hub))
    assert pause_from(at_a_terminal("/bin/bash", "-c", f"{forged} $$\n{asked}\ntrue")) == (200, "")


def test_orphan_does_not_make_an_agent_of_who_took_it_in(agent: AgentProcess, hub: HubProcess) -> None:
    """Its parent is then the process that adopts orphans."""
    claim = "import os, sys; os.execv(sys.executable, [*sys.argv[1:], str(os.getppid())])"
    send = python(SEND, str(hub.paths.hook_socket), json.dumps(bash("ls")))
    agent.run(python(DETACHED, *python(claim, *send)), CLEARED)
    assert hub.api("PUT", "/api/pause", b'{"seconds":9}')[0] == 200


def test_program_without_a_terminal_answers_but_changes_nothing_that_lasts(hub: HubProcess) -> None:
    """A service, or a command over ssh: the answer says what to do."""
    alone = ["/usr/bin/env", "setsid", "-w", *persons_pause(hub)]
    assert pause_from(alone) == (403, "no-terminal")
    script = "from assent.client import Client; from assent.paths import find; print(Client(find()).me()['scope'])"
    done = subprocess.run(
        ["/usr/bin/env", "setsid", "-w", *python(script)], env=hub.environ, check=True, capture_output=True, text=True
    )
    assert done.stdout == "grant\n"


def test_cli_without_a_terminal_says_how_to_go_on(hub: HubProcess) -> None:
    """In a sentence, with a code that a person can confirm."""
    done = subprocess.run(
        ["setsid", "-w", sys.executable, "-m", "assent", "pause"],
        env=hub.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "terminal" in done.stderr
    assert "assent confirm " in done.stderr


def test_person_vouches_for_a_terminal_once(hub: HubProcess) -> None:
    """What runs there may then do all that a person may; another may not, nor does the code count again."""
    script = (
        "import sys; from assent.client import Client, ApiError; from assent.paths import find\n"
        "client = Client(find())\n"
        "for line in sys.stdin:\n"
        "    try: client.pause(5); print('paused', flush=True)\n"
        "    except ApiError as error: print(error.hint.split()[-1], flush=True)\n"
    )
    command = ["/usr/bin/env", "setsid", "-w", *python(script)]
    with subprocess.Popen(
        command, env=hub.environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as alone:
        assert alone.stdin is not None
        assert alone.stdout is not None
        alone.stdin.write("\n")
        code = alone.stdout.readline().strip()
        assert hub.api("POST", "/api/confirm", json.dumps({"code": code}).encode())[0] == 200
        alone.stdin.write("\n")
        assert alone.stdout.readline() == "paused\n"
        assert hub.api("POST", "/api/confirm", json.dumps({"code": code}).encode())[0] == 404
    assert pause_from(["/usr/bin/env", "setsid", "-w", *persons_pause(hub)]) == (403, "no-terminal")


def test_agent_cannot_vouch_for_itself(agent: AgentProcess) -> None:
    """Confirming is a person's."""
    confirm = PAUSE.replace("PUT /api/pause", "POST /api/confirm").replace('{"seconds":9}', '{"code":"42"}')
    assert said(agent.run(python(confirm, str(agent.hub.paths.desk_socket), "0"), CLEARED)) == (403, "scope")
