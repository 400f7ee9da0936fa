"""Printed forms that fail, and attacks on the sentences that hold."""
