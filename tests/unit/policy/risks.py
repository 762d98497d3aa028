"""How much a yes to a line could cost, in the project of these tests."""

from assent.policy.effects import Effect
from assent.policy.shell.walk import Walk
from assent.protocol.decision import Risk
from tests.unit.policy.setting import SETTING


def effects(line: str) -> list[Effect]:
    return [effect for act in Walk(SETTING).line(line) for each in act.all() for effect in each.effects]


def risk(line: str) -> Risk:
    return max((effect.risk for effect in effects(line)), default=Risk.LOOK)
