"""The hand-written messages are what Streamlit's own protocol says."""

from streamlit.proto.BackMsg_pb2 import BackMsg

from bench.visitor import rerun


def test_a_first_visit_asks_for_the_page() -> None:
    message = BackMsg.FromString(rerun())
    assert message.WhichOneof("type") == "rerun_script"
    assert not message.rerun_script.widget_states.widgets


def test_a_sent_form_has_the_claim_and_the_pressed_button() -> None:
    claim = "Wasser kocht bei 100 Grad – überall. " * 20
    message = BackMsg.FromString(rerun((b"$$ID-1-text", claim.encode()), b"$$ID-2-button"))
    text, button = message.rerun_script.widget_states.widgets
    assert (text.id, text.string_value) == ("$$ID-1-text", claim)
    assert (button.id, button.trigger_value) == ("$$ID-2-button", True)
