"""All implementations agree, event by event."""
