"""A page of hostile texts in every place where Streamlit takes Markdown."""

import streamlit as st

from ghost.ui.shared import text as words
from tests.ui.hostile import TEXTS

for number, text in enumerate(TEXTS):
    with st.container(key=f"text_{number}"):
        st.markdown(words.plain(text))
    with st.container(key=f"bold_{number}"):
        st.markdown(f"**1** · {words.plain(text)}")
    with st.container(key=f"caption_{number}"):
        st.caption(words.plain(text))
    with st.container(key=f"heading_{number}"):
        st.subheader(words.plain(text), anchor=False)
    with st.container(key=f"button_{number}"):
        st.button(words.plain(text), key=f"b{number}")
    with st.container(key=f"marked_{number}"):
        st.markdown(words.highlighted(f"before {text} after", (text,)))
    with st.container(key=f"gray_{number}"):
        st.markdown(words.coloured("gray", text))
    with st.container(key=f"link_{number}"):
        st.markdown(words.link(text, "https://example.org/safe"))
with st.container(key="long"):
    st.markdown(words.coloured("gray", "[x](y) :red[z] " * 300))
st.text("the end of the texts")
