"""Drawing helpers for the pages. Only this room, ``pages/`` and ``app.py`` know Streamlit."""
