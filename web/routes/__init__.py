"""The routes of the page and its API: one blueprint for each subject."""
