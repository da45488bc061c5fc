"""The whole assignment in a browser: a static site that runs Python in the page."""
