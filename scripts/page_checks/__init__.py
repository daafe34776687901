"""The checks of check-page, which take the page in the browser as their first argument."""
