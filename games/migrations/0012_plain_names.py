"""What the desk calls things, an action of it, and that ties of a table are broken in a way that there is."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0011_history'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        # Nothing of the database changes.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterModelOptions(
                    name='audit',
                    options={'verbose_name': 'act of an operator', 'verbose_name_plural': 'what operators did'},
                ),
                migrations.AlterModelOptions(
                    name='halt',
                    options={'verbose_name': 'stop of the clocks', 'verbose_name_plural': 'stops of the clocks'},
                ),
                migrations.AlterModelOptions(
                    name='holder',
                    options={'verbose_name': 'seat of somebody', 'verbose_name_plural': 'who sat where'},
                ),
                migrations.AlterModelOptions(
                    name='invite',
                    options={'verbose_name': 'invitation', 'verbose_name_plural': 'invitations'},
                ),
                migrations.AlterModelOptions(
                    name='pulse',
                    options={'verbose_name': 'sign of life', 'verbose_name_plural': 'signs of life'},
                ),
                migrations.AlterField(
                    model_name='audit',
                    name='action',
                    field=models.CharField(choices=[('correct', 'Correct'), ('void', 'Void'), ('undo', 'Undo'), ('end', 'End'), ('take_up', 'Take Up'), ('replace', 'Replace'), ('free', 'Free'), ('extend', 'Extend'), ('close', 'Close'), ('freeze', 'Freeze'), ('thaw', 'Thaw'), ('rename', 'Rename'), ('ban', 'Ban'), ('release', 'Release'), ('merge', 'Merge'), ('answer', 'Answer'), ('role', 'Role'), ('address', 'Address')], max_length=8),
                ),
            ]
        ),
        migrations.AddConstraint(
            model_name='table',
            constraint=models.CheckConstraint(condition=models.Q(('tie_break', ''), ('tie_break__in', ['cards', 'first', 'longest']), _connector='OR'), name='table_tie_break_known'),
        ),
    ]
