"""The judges that ask a language model over the OpenAI protocol."""
