"""The faults that scripts/attacks/torture causes, the scenarios that it disturbs, and the attack itself."""
