"""The Analytics page: the knowledge base in charts."""

from ghost.ui.analytics.cards import share
from ghost.ui.analytics.health import findings
from ghost.ui.analytics.page import analytics_page
from ghost.ui.analytics.time import cumulated

__all__ = ["analytics_page", "cumulated", "findings", "share"]
