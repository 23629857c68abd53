"""Looking at the workbench itself: settings, models, stores, providers. Changes nothing and shows no secret."""
