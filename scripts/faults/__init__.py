"""The faults that scripts/torture causes, the scenarios that it disturbs, and the attack itself."""
