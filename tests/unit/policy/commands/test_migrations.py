"""What changes a project's database."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "rails --version",
        "prisma validate",
        "npm view prisma version",
        "knex migrate:status",
    ],
)
def test_migration_lines_that_only_tell_are_look(line: str) -> None:
    """What they only tell is Look."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "rails db:migrate",
        "rails server",
        "rails routes",
        "bin/rails console",
        "rake test",
        "python manage.py migrate",
        "python manage.py makemigrations",
        "python manage.py runserver",
        "python manage.py shell -c 'print(1)'",
        "python manage.py --help",
        "django-admin startproject shop",
        "alembic upgrade head",
        "npx prisma migrate dev",
        "prisma generate",
        "knex migrate:latest",
        "drizzle-kit push",
        "mix ecto.migrate",
        "php artisan migrate",
        "alembic $verb",
    ],
)
def test_migration_lines_that_move_on_are_left_to_the_client(line: str) -> None:
    """Moving on changes the database, with care."""
    assert risk(line) in (Risk.CHANGE, Risk.CARE)


@pytest.mark.parametrize(
    "line",
    [
        "rails db:drop",
        "rake db:drop:all",
        "flask db downgrade",
        "python manage.py sqlflush | python manage.py dbshell",
        "echo 'import os; os.system(\"rm -rf ~\")' | python manage.py shell",
        "bin/rails db:reset",
        "bin/rails db:migrate RAILS_ENV=production",
        "rake db:schema:load",
        "rails db:rollback STEP=3",
        "rails runner 'system(\"rm -rf ~\")'",
        "rake -e 'system(\"rm -rf ~\")'",
        "python manage.py flush --noinput",
        "./manage.py reset_db",
        "python3 backend/manage.py flush",
        "python manage.py migrate shop zero",
        "python manage.py dumpdata",
        "python manage.py shell -c 'import shutil; shutil.rmtree(\"/home/me\")'",
        "uv run python manage.py flush",
        "poetry run ./manage.py flush",
        "alembic downgrade base",
        "python -m alembic downgrade -1",
        "npx prisma migrate reset",
        "pnpm prisma db push --force-reset",
        "yarn prisma migrate reset --force",
        "bunx drizzle-kit push --force",
        "npx sequelize-cli db:drop",
        "npx typeorm schema:drop",
        "npx knex migrate:rollback --all",
        "mix ecto.drop",
        "mix ecto.reset",
        "mix hex.publish",
        "php artisan migrate:fresh",
    ],
)
def test_migration_lines_that_throw_data_away_are_danger(line: str) -> None:
    """What the database held is lost."""
    assert risk(line) == Risk.DANGER
