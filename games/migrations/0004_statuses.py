"""Tables that are there already are running, over, or open if nothing was ever dealt at them."""

from django.db import migrations
from django.db.models import Exists, OuterRef, Subquery


def statuses_set(apps, schema_editor):
    Table = apps.get_model("games", "Table")
    Game = apps.get_model("games", "Game")
    mine = Game.objects.filter(table=OuterRef("pk"))
    Table.objects.filter(Exists(mine), status="open").update(
        status="running", started=Subquery(mine.order_by("number").values("created")[:1])
    )
    last = mine.filter(number=OuterRef("deals"), status="over")
    Table.objects.filter(Exists(last), status="running").update(status="over")


class Migration(migrations.Migration):
    dependencies = [("games", "0003_people")]

    operations = [migrations.RunPython(statuses_set, migrations.RunPython.noop)]
