"""The seven steps, one file each, all of one shape: values in, an Outcome out, no hidden state."""
