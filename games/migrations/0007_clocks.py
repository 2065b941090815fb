import datetime
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0006_longer_names'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Answer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('number', models.PositiveIntegerField(blank=True, null=True)),
                ('since', models.DateTimeField()),
                ('at', models.DateTimeField()),
                ('how', models.CharField(choices=[('hand', 'Hand'), ('order', 'Order'), ('timeout', 'Timeout'), ('nudge', 'Nudge'), ('other', 'Other')], max_length=7)),
                ('charged', models.DurationField(db_default=datetime.timedelta(0), default=datetime.timedelta(0))),
                ('free', models.DurationField(db_default=datetime.timedelta(0), default=datetime.timedelta(0))),
                ('stood', models.DurationField(db_default=datetime.timedelta(0), default=datetime.timedelta(0))),
                ('late', models.DurationField(db_default=datetime.timedelta(0), default=datetime.timedelta(0))),
                ('lost', models.DurationField(db_default=datetime.timedelta(0), default=datetime.timedelta(0))),
            ],
        ),
        migrations.CreateModel(
            name='Ballot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('yes', models.BooleanField()),
            ],
        ),
        migrations.CreateModel(
            name='Bank',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('left', models.DurationField(db_default=datetime.timedelta(0), default=datetime.timedelta(0))),
            ],
        ),
        migrations.CreateModel(
            name='Extension',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('length', models.DurationField()),
            ],
        ),
        migrations.CreateModel(
            name='Halt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('outage', 'Outage'), ('freeze', 'Freeze')], max_length=6)),
                ('since', models.DateTimeField()),
                ('until', models.DateTimeField(blank=True, null=True)),
                ('why', models.CharField(blank=True, default='', max_length=200)),
                ('upto', models.PositiveBigIntegerField(default=0)),
                ('applied', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='MissedTurn',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('number', models.PositiveIntegerField(blank=True, null=True)),
                ('due_at', models.DateTimeField()),
                ('at', models.DateTimeField()),
                ('excuse', models.CharField(blank=True, choices=[('', 'None'), ('outage', 'Outage'), ('vacation', 'Vacation'), ('freeze', 'Freeze'), ('admin', 'Admin')], default='', max_length=8)),
            ],
        ),
        migrations.CreateModel(
            name='Pause',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.DateTimeField()),
                ('until', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Pulse',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=16, unique=True)),
                ('at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='PushDevice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('endpoint', models.TextField(unique=True)),
                ('p256dh', models.CharField(max_length=100)),
                ('auth', models.CharField(max_length=32)),
                ('agent', models.CharField(blank=True, default='', max_length=80)),
                ('session', models.CharField(max_length=40)),
                ('created', models.DateTimeField()),
                ('used', models.DateTimeField(blank=True, null=True)),
                ('failed', models.PositiveSmallIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='Seen',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name='Vacation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('first', models.DateField()),
                ('last', models.DateField()),
                ('zone', models.CharField(max_length=64)),
                ('made', models.DateTimeField()),
                ('ended', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Vote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('pause', 'Pause'), ('extend', 'Extend'), ('resume', 'Resume'), ('bot', 'Bot')], max_length=6)),
                ('days', models.PositiveSmallIntegerField(default=0)),
                ('opened', models.DateTimeField()),
                ('closes', models.DateTimeField()),
                ('done', models.DateTimeField(blank=True, null=True)),
                ('passed', models.BooleanField(default=False)),
            ],
        ),
        migrations.AddField(
            model_name='game',
            name='aside',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='game',
            name='broken',
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name='game',
            name='next_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='game',
            name='objected',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='holder',
            name='stand_in',
            field=models.CharField(blank=True, db_default='', default='', max_length=16),
        ),
        migrations.AddField(
            model_name='holder',
            name='stood_in',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='holder',
            name='back',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='notice',
            name='channel',
            field=models.CharField(db_default='mail', default='mail', max_length=6),
        ),
        migrations.AddField(
            model_name='notice',
            name='number',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='notice',
            name='seat',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='table',
            name='missed',
            field=models.CharField(choices=[('bot', 'Bot'), ('nudge', 'Nudge'), ('keep', 'Keep')], db_default='bot', default='bot', max_length=5),
        ),
        migrations.AddField(
            model_name='table',
            name='next',
            field=models.CharField(choices=[('wait10', 'Wait'), ('once', 'Once'), ('ask', 'Ask')], db_default='wait10', default='wait10', max_length=6),
        ),
        migrations.AddField(
            model_name='table',
            name='pace',
            field=models.CharField(choices=[('none', 'None'), ('move', 'Move'), ('bank', 'Bank'), ('live', 'Live')], db_default='none', default='none', max_length=4),
        ),
        migrations.AddField(
            model_name='table',
            name='pace_cap',
            field=models.DurationField(db_default=datetime.timedelta(0), default=datetime.timedelta(0)),
        ),
        migrations.AddField(
            model_name='table',
            name='pace_grace',
            field=models.DurationField(db_default=datetime.timedelta(0), default=datetime.timedelta(0)),
        ),
        migrations.AddField(
            model_name='table',
            name='pace_increment',
            field=models.DurationField(db_default=datetime.timedelta(0), default=datetime.timedelta(0)),
        ),
        migrations.AddField(
            model_name='table',
            name='pace_start',
            field=models.DurationField(db_default=datetime.timedelta(0), default=datetime.timedelta(0)),
        ),
        migrations.AddField(
            model_name='table',
            name='rest',
            field=models.CharField(blank=True, db_default='', default='', max_length=6),
        ),
        migrations.AddField(
            model_name='table',
            name='rest_between',
            field=models.DurationField(db_default=datetime.timedelta(0), default=datetime.timedelta(0)),
        ),
        migrations.AddField(
            model_name='table',
            name='vacations',
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.AddField(
            model_name='table',
            name='zone',
            field=models.CharField(db_default='UTC', default='UTC', max_length=64),
        ),
        migrations.AddField(
            model_name='turn',
            name='bank',
            field=models.DurationField(db_default=datetime.timedelta(0), default=datetime.timedelta(0)),
        ),
        migrations.AddField(
            model_name='turn',
            name='extended',
            field=models.DurationField(db_default=datetime.timedelta(0), default=datetime.timedelta(0)),
        ),
        migrations.AddField(
            model_name='turn',
            name='nudges',
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name='turn',
            name='number',
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name='turn',
            name='order_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='turn',
            name='ran_from',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='turn',
            name='warn_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='answer',
            name='game',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to='games.game'),
        ),
        migrations.AddField(
            model_name='answer',
            name='holder',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to='games.holder'),
        ),
        migrations.AddField(
            model_name='ballot',
            name='holder',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='games.holder'),
        ),
        migrations.AddField(
            model_name='bank',
            name='game',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='games.game'),
        ),
        migrations.AddField(
            model_name='extension',
            name='game',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to='games.game'),
        ),
        migrations.AddField(
            model_name='extension',
            name='user',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='missedturn',
            name='game',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to='games.game'),
        ),
        migrations.AddField(
            model_name='missedturn',
            name='holder',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to='games.holder'),
        ),
        migrations.AddField(
            model_name='pause',
            name='by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='pause',
            name='table',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='games.table'),
        ),
        migrations.AddField(
            model_name='pushdevice',
            name='user',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='seen',
            name='game',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='games.game'),
        ),
        migrations.AddField(
            model_name='seen',
            name='user',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='vacation',
            name='user',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='vote',
            name='holder',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.holder'),
        ),
        migrations.AddField(
            model_name='vote',
            name='table',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='games.table'),
        ),
        migrations.AddField(
            model_name='ballot',
            name='vote',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='games.vote'),
        ),
    ]
