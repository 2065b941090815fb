"""What is refused of reports."""

from typing import ClassVar

from games.services.errors import ServiceError


class ReportUnfit(ServiceError):
    """What is reported is oneself or one's own table, or the words to it cannot be read; `str()` says why."""

    sentence = "This cannot be reported."
    status = 422

    def __init__(self, fault: str) -> None:
        super().__init__(fault)
        self.fault = fault

    def __str__(self) -> str:
        return self.fault


class NothingToReport(ServiceError):
    """There is no such person or table, or whoever reports may not see them: nobody learns which."""

    sentence = "There is no such person or table, or you have not met them."
    status = 404


class ReportLimit(ServiceError):
    """Somebody has reported so much today that no more is taken."""

    sentence = "That is as much as we can look at from you in a day: report more tomorrow."
    status = 429


class ReportGone(ServiceError):
    """There is no such report."""

    sentence = "There is no such report."
    status: ClassVar[int] = 404
