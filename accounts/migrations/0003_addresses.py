"""Addresses in lower case, each with the row that allauth looks for; a code for everybody's page.

Two people whose addresses differ in nothing but the case of their letters (which the index of 0001 prevents, but for
letters whose case the database does not know): whoever signed in last keeps the address, or who joined last if neither
ever did. The other becomes a person without an address, whose seats, games, name and open sessions stay; the migration
says so on standard error, and an operator can give them another address in the admin.
"""

import secrets
import sys

from django.db import migrations

ALPHABET = "23456789bfgjkmnpqrtvwxyz"
LONGEST = 254


def people_migrated(apps, schema_editor):
    alias = schema_editor.connection.alias
    people = apps.get_model("accounts", "User").objects.using(alias)
    addresses = apps.get_model("account", "EmailAddress").objects.using(alias)
    kept = {}
    for user in sorted(people.all(), key=_last_signed_in):
        address = (user.email or "").lower()
        if address in kept or len(address) > LONGEST:
            print(f"accounts: person {user.pk} loses the address of person {kept.get(address)}", file=sys.stderr)
            address = ""
        if address:
            kept[address] = user.pk
        # Those who keep none are written first: the column is unique.
        else:
            people.filter(pk=user.pk).update(email=None)
        people.filter(pk=user.pk).update(code="".join(secrets.choice(ALPHABET) for _ in range(10)))
    for address, key in kept.items():
        people.filter(pk=key).update(email=address)
        addresses.create(user_id=key, email=address, primary=True, verified=False)


def _last_signed_in(user):
    return (user.last_login is None, -(user.last_login or user.date_joined).timestamp(), -user.pk)


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0002_people'),
        ('account', '0009_emailaddress_unique_primary_email'),
    ]

    # Back is nothing to do: a lower-case address is as good, and the columns go with 0002.
    operations = [migrations.RunPython(people_migrated, migrations.RunPython.noop)]
