"""What templates read."""


class Shown:
    """A part of a page: templates ask for `part["name"]` first, and for `part.name` only once that has failed.

    They ask a board some six hundred times.
    """

    __slots__ = ()
    __getitem__ = object.__getattribute__
