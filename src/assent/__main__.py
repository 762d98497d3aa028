"""The program ``assent``, which is also ``python -m assent``."""

import gc
import sys


def main() -> None:
    if sys.argv[1:] in (["statusline"], ["statusline", "--ascii"]):
        # Run every few seconds beside every agent: it starts without what the other verbs need.
        from assent.cli import line

        line.run(is_ascii="--ascii" in sys.argv)
        return
    # Nothing that an import makes is garbage, and to look for some takes a tenth of a start. A verb has it again.
    gc.disable()
    from assent.cli.main import main as program

    program()


if __name__ == "__main__":
    main()
