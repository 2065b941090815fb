"""What notices say: looked at again when they are sent, since what they were about may have changed."""

from games.services.letters.addressed import addressed, letter_of, news_of, wish_of
from games.services.letters.invitation import MOST_TO_ONE, no_mail_invite, no_mail_url
from games.services.letters.letter import Later, Letter, Message, News

__all__ = [
    "MOST_TO_ONE", "Later", "Letter", "Message", "News", "addressed", "letter_of", "news_of", "no_mail_invite",
    "no_mail_url", "wish_of",
]  # fmt: skip
