"""The checks of scripts/checks/page, which take the page in the browser as their first argument."""
