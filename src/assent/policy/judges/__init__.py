"""The voices of the judge, in their order: floor, rules, rules of the harness, permissions, stance."""
