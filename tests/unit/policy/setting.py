"""A project to judge lines in. Its folders need not exist."""

from assent.policy.shell.spelling import Setting

SETTING = Setting(project="/home/me/shop", home="/home/me", cwd="/home/me/shop")
