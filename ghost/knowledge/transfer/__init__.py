"""Many passages or ratings in one file, on their way in and out."""
