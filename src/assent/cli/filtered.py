"""Commands whose words are a filter."""

import click


class Filtered(click.Command):
    """Filters negate with a dash, so click must not see them: only what can be nothing else is an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        short = {name for param in self.get_params(ctx) for name in param.opts if not name.startswith("--")}
        options = [arg for arg in args if arg.startswith("--") or arg in short]
        words = [arg for arg in args if arg not in options]
        return super().parse_args(ctx, [*(arg for arg in options if arg != "--"), "--", *words])
