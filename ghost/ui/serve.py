"""Streamlit's command line without a question that Streamlit asks a server outside: ``python -m ghost.ui.serve run …``.

Before Streamlit refuses a WebSocket from another website, it asks checkip.amazonaws.com for the public address of this
machine, to see whether that website is the machine itself. Any page in the browser could cause that.
"""

from streamlit import net_util


def keep_address_private() -> None:
    """Let Streamlit do without the public address; a page that is opened under it is named in GHOST_HOST_NAMES."""
    net_util.get_external_ip = lambda: None


if __name__ == "__main__":
    from streamlit.web.cli import main

    keep_address_private()
    main(prog_name="streamlit")
