"""What 0003 has made true is kept true by the database."""

import django.db.models.functions.text
from django.db import migrations, models

import accounts.models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0003_addresses'),
    ]

    operations = [
        migrations.AlterField(
            model_name='user',
            name='code',
            field=models.CharField(default=accounts.models.new_code, editable=False, max_length=10, unique=True, verbose_name='code of their page'),
        ),
        migrations.RemoveConstraint(
            model_name='user',
            name='user_email_any_case',
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.CheckConstraint(condition=models.Q(('email', django.db.models.functions.text.Lower('email'))), name='user_email_lower'),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.CheckConstraint(condition=models.Q(('email', ''), _negated=True), name='user_email_or_none'),
        ),
    ]
