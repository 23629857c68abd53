"""Fetching pages: the HTTP client, the address guard, robots.txt, the page cache, archived copies and link checks."""
