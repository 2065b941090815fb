import datetime
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [('games', '0007_clocks')]

    operations = [
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('next_at__isnull', False)), fields=['next_at'], name='game_next'),
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(condition=models.Q(('channel', 'digest'), ('gone', None), ('sent', None)), fields=['user', 'due'], name='notice_digest'),
        ),
        migrations.AddIndex(
            model_name='turn',
            index=models.Index(condition=models.Q(('warn_at__isnull', False)), fields=['warn_at'], name='turn_warn'),
        ),
        migrations.AddIndex(
            model_name='turn',
            index=models.Index(condition=models.Q(('order_at__isnull', False)), fields=['order_at'], name='turn_order'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('next_at__isnull', True), ('status', 'over'), _connector='OR'), name='game_next_after_end'),
        ),
        migrations.AddConstraint(
            model_name='holder',
            constraint=models.CheckConstraint(condition=models.Q(('stand_in', ''), ('user__isnull', False), ('until__isnull', False), _connector='OR'), name='holder_stand_in_for_a_person'),
        ),
        migrations.AddConstraint(
            model_name='holder',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('stand_in', ''), ('stood_in__isnull', True)), models.Q(models.Q(('stand_in', ''), _negated=True), ('stood_in__isnull', False)), _connector='OR'), name='holder_stand_in_since'),
        ),
        migrations.AddConstraint(
            model_name='notice',
            constraint=models.CheckConstraint(condition=models.Q(('channel__in', ['mail', 'push', 'digest'])), name='notice_channel_known'),
        ),
        migrations.AddConstraint(
            model_name='table',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('pace', 'none'), ('pace_cap', datetime.timedelta(0)), ('pace_grace', datetime.timedelta(0)), ('pace_increment', datetime.timedelta(0)), ('pace_start', datetime.timedelta(0))), models.Q(('pace__in', ['move', 'live']), ('pace_cap', models.F('pace_start')), ('pace_grace', datetime.timedelta(0)), ('pace_increment', models.F('pace_start')), ('pace_start__gt', datetime.timedelta(0))), models.Q(('pace', 'bank'), ('pace_grace__gte', datetime.timedelta(0)), ('pace_increment__gt', datetime.timedelta(0)), ('pace_start__gt', datetime.timedelta(0)), ('pace_increment__lte', models.F('pace_cap')), ('pace_start__lte', models.F('pace_cap'))), _connector='OR'), name='table_pace_fits'),
        ),
        migrations.AddConstraint(
            model_name='table',
            constraint=models.CheckConstraint(condition=models.Q(('missed__in', ['bot', 'nudge', 'keep']), ('next__in', ['wait10', 'once', 'ask']), ('rest_between__gte', datetime.timedelta(0))), name='table_clocks_known'),
        ),
        migrations.AddIndex(
            model_name='halt',
            index=models.Index(fields=['until'], name='halt_by_end'),
        ),
        migrations.AddConstraint(
            model_name='halt',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['outage', 'freeze'])), name='halt_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='halt',
            constraint=models.CheckConstraint(condition=models.Q(('until', None), ('until__gte', models.F('since')), _connector='OR'), name='halt_ends_after_start'),
        ),
        migrations.AddConstraint(
            model_name='halt',
            constraint=models.UniqueConstraint(condition=models.Q(('until', None)), fields=('kind',), name='halt_one_open_a_kind'),
        ),
        migrations.AddIndex(
            model_name='answer',
            index=models.Index(fields=['holder', '-at'], name='answer_by_holder'),
        ),
        migrations.AddConstraint(
            model_name='answer',
            constraint=models.UniqueConstraint(fields=('game', 'seat', 'number'), name='answer_once_an_entry'),
        ),
        migrations.AddConstraint(
            model_name='answer',
            constraint=models.CheckConstraint(condition=models.Q(('how__in', ['hand', 'order', 'timeout', 'nudge', 'other'])), name='answer_how_known'),
        ),
        migrations.AddConstraint(
            model_name='answer',
            constraint=models.CheckConstraint(condition=models.Q(('seat__gte', 0), ('seat__lt', 12)), name='answer_seat_0_to_11'),
        ),
        migrations.AddConstraint(
            model_name='bank',
            constraint=models.UniqueConstraint(fields=('game', 'seat'), name='bank_once_a_seat'),
        ),
        migrations.AddConstraint(
            model_name='bank',
            constraint=models.CheckConstraint(condition=models.Q(('seat__gte', 0), ('seat__lt', 12)), name='bank_seat_0_to_11'),
        ),
        migrations.AddConstraint(
            model_name='missedturn',
            constraint=models.UniqueConstraint(fields=('game', 'seat', 'due_at'), name='missed_once_a_deadline'),
        ),
        migrations.AddConstraint(
            model_name='missedturn',
            constraint=models.CheckConstraint(condition=models.Q(('seat__gte', 0), ('seat__lt', 12)), name='missed_seat_0_to_11'),
        ),
        migrations.AddConstraint(
            model_name='missedturn',
            constraint=models.CheckConstraint(condition=models.Q(('excuse__in', ['', 'outage', 'vacation', 'freeze', 'admin'])), name='missed_excuse_known'),
        ),
        migrations.AddConstraint(
            model_name='missedturn',
            constraint=models.CheckConstraint(condition=models.Q(('at__gte', models.F('due_at'))), name='missed_after_its_deadline'),
        ),
        migrations.AddConstraint(
            model_name='pause',
            constraint=models.CheckConstraint(condition=models.Q(('until__gte', models.F('since'))), name='pause_ends_after_its_start'),
        ),
        migrations.AddConstraint(
            model_name='seen',
            constraint=models.UniqueConstraint(fields=('user', 'game'), name='seen_once_a_game'),
        ),
        migrations.AddIndex(
            model_name='vacation',
            index=models.Index(fields=['user', 'last'], name='vacation_by_user'),
        ),
        migrations.AddConstraint(
            model_name='vacation',
            constraint=models.CheckConstraint(condition=models.Q(('last__gte', models.F('first'))), name='vacation_last_after_first'),
        ),
        migrations.AddIndex(
            model_name='vote',
            index=models.Index(condition=models.Q(('done', None)), fields=['closes'], name='vote_open'),
        ),
        migrations.AddConstraint(
            model_name='vote',
            constraint=models.UniqueConstraint(condition=models.Q(('done', None)), fields=('table',), name='vote_one_open_a_table'),
        ),
        migrations.AddConstraint(
            model_name='vote',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('days__gte', 1), ('days__lte', 14), ('holder', None), ('kind__in', ['pause', 'extend'])), models.Q(('days', 0), ('holder', None), ('kind', 'resume')), models.Q(('days', 0), ('holder__isnull', False), ('kind', 'bot')), _connector='OR'), name='vote_kind_and_columns_agree'),
        ),
        migrations.AddConstraint(
            model_name='vote',
            constraint=models.CheckConstraint(condition=models.Q(('closes__gte', models.F('opened'))), name='vote_closes_after_opened'),
        ),
        migrations.AddConstraint(
            model_name='ballot',
            constraint=models.UniqueConstraint(fields=('vote', 'holder'), name='ballot_once_a_holder'),
        ),
    ]
