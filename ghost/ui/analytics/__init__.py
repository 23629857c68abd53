"""The Analytics page: the knowledge base in charts."""

from ghost.ui.analytics.contents import cumulated
from ghost.ui.analytics.health import findings
from ghost.ui.analytics.page import analytics_page

__all__ = ["analytics_page", "cumulated", "findings"]
