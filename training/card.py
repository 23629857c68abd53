def cross_encoder_card(manifest, size):
    return ""
