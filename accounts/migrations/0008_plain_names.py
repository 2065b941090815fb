"""What the desk calls people."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0007_history'),
    ]

    operations = [
        # Nothing of the database changes.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterModelOptions(
                    name='historicaluser',
                    options={'get_latest_by': ('history_date', 'history_id'), 'ordering': ('-history_date', '-history_id'), 'verbose_name': 'historical person', 'verbose_name_plural': 'historical people'},
                ),
                migrations.AlterModelOptions(
                    name='user',
                    options={'verbose_name': 'person', 'verbose_name_plural': 'people'},
                ),
            ]
        ),
    ]
