"""A place to install into, as the tests of the installer have it."""

from tests.unit.install.conftest import settings as settings
from tests.unit.install.conftest import site as site
