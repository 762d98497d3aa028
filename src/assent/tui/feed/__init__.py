"""The third tab: everything that happens, as it happens."""
