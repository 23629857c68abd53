"""Jobs of workers: put into a queue on PostgreSQL by any process, done by the workers, and watched from anywhere.

Nothing here imports the queue's library or the driver before it is used: with SQLite neither has to be there.
"""
