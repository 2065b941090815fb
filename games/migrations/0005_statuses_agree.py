from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0004_statuses")]

    operations = [
        migrations.AddConstraint(
            model_name='table',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('closed__isnull', True), ('started__isnull', True), ('status', 'open')), models.Q(('closed__isnull', True), ('started__isnull', False), ('status__in', ['running', 'over'])), models.Q(('closed__isnull', False), ('started__isnull', True), ('status', 'closed')), _connector='OR'), name='table_status_and_times_agree'),
        ),
    ]
