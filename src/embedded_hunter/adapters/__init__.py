"""The searches of this project inside other platforms: IOHexperimenter, nevergrad and Optuna.

``searches``
    Each search as ask and tell, one point at a time, in the user's bounds; no other package needed.
``ioh``, ``nevergrad``, ``optuna``
    The class that each platform wants. The last two import the platform; the extra ``adapters``
    installs all three. COCO wants a loop, not a class: docs/platforms.md shows it.
"""
