"""What operators do. PostgreSQL keeps it as it was written; SQLite, for one computer and tests, goes without.

- A correction is never changed and never deleted, and neither is what says who did what and why.
- Whom and what that was about may go, when a person is erased, and their name out of the reason.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

APPEND_ONLY = """
CREATE FUNCTION games_audit_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND
        (NEW.id, NEW.action, NEW.at, NEW.before, NEW.after) IS NOT DISTINCT FROM
            (OLD.id, OLD.action, OLD.at, OLD.before, OLD.after)
        AND (NEW.by_id IS NULL OR NEW.by_id = OLD.by_id)
        AND (NEW.person_id IS NULL OR NEW.person_id = OLD.person_id)
        AND (NEW.table_id IS NULL OR NEW.table_id = OLD.table_id)
        AND (NEW.game_id IS NULL OR NEW.game_id = OLD.game_id)
        AND (NEW.why = OLD.why OR current_setting('getaway.erasing', true) = 'on')
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'Rows of % are never changed and never deleted.', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER games_audit_append_only BEFORE UPDATE OR DELETE ON games_audit
    FOR EACH ROW EXECUTE FUNCTION games_audit_append_only();
CREATE TRIGGER games_correction_append_only BEFORE UPDATE OR DELETE ON games_correction
    FOR EACH ROW EXECUTE FUNCTION games_append_only();
"""
NOT_APPEND_ONLY = """
DROP TRIGGER games_audit_append_only ON games_audit;
DROP TRIGGER games_correction_append_only ON games_correction;
DROP FUNCTION games_audit_append_only();
"""


def _on_postgresql(statements):
    def run(apps, schema_editor):
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(statements, params=None)

    return run


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0008_clocks_agree'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Audit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('action', models.CharField(choices=[('correct', 'Correct'), ('void', 'Void'), ('undo', 'Undo'), ('end', 'End'), ('take_up', 'Take Up'), ('replace', 'Replace'), ('free', 'Free'), ('extend', 'Extend'), ('close', 'Close'), ('freeze', 'Freeze'), ('thaw', 'Thaw'), ('rename', 'Rename'), ('ban', 'Ban'), ('release', 'Release'), ('merge', 'Merge'), ('answer', 'Answer'), ('role', 'Role')], max_length=8)),
                ('why', models.CharField(max_length=300)),
                ('at', models.DateTimeField()),
                ('before', models.JSONField(blank=True, default=dict)),
                ('after', models.JSONField(blank=True, default=dict)),
            ],
            options={
                'verbose_name_plural': 'audit',
            },
        ),
        migrations.CreateModel(
            name='Correction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('before', models.JSONField()),
                ('loser', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('void', models.BooleanField(default=False)),
                ('cards_left', models.PositiveSmallIntegerField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('name', 'Name'), ('person', 'Person'), ('table', 'Table')], max_length=6)),
                ('said', models.CharField(max_length=480)),
                ('words', models.CharField(blank=True, default='', max_length=500)),
                ('at', models.DateTimeField()),
                ('state', models.CharField(choices=[('open', 'Open'), ('upheld', 'Upheld'), ('dismissed', 'Dismissed')], default='open', max_length=9)),
                ('effect', models.CharField(choices=[('none', 'None'), ('warned', 'Warned'), ('renamed', 'Renamed'), ('banned', 'Banned')], default='none', max_length=7)),
                ('answer', models.CharField(blank=True, default='', max_length=300)),
                ('answered', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.AddField(
            model_name='result',
            name='stopped',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name='table',
            name='tie_break',
            field=models.CharField(blank=True, db_default='', default='', max_length=7),
        ),
        migrations.AddField(
            model_name='table',
            name='rated',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.CheckConstraint(condition=models.Q(('stopped', False), ('void', True), _connector='OR'), name='result_stopped_is_void'),
        ),
        migrations.AddField(
            model_name='audit',
            name='by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='audit',
            name='game',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to='games.game'),
        ),
        migrations.AddField(
            model_name='audit',
            name='person',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='audit',
            name='table',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to='games.table'),
        ),
        migrations.AddField(
            model_name='correction',
            name='audit',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, to='games.audit'),
        ),
        migrations.AddField(
            model_name='correction',
            name='game',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='games.game'),
        ),
        migrations.AddField(
            model_name='correction',
            name='holder',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='games.holder'),
        ),
        migrations.AddField(
            model_name='correction',
            name='undoes',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='games.correction'),
        ),
        migrations.AddField(
            model_name='report',
            name='about',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='reported', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='report',
            name='answered_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='report',
            name='by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='reports', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='report',
            name='table',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to='games.table'),
        ),
        migrations.AddIndex(
            model_name='audit',
            index=models.Index(fields=['at'], name='audit_by_time'),
        ),
        migrations.AddConstraint(
            model_name='audit',
            constraint=models.CheckConstraint(condition=models.Q(('why', ''), _negated=True), name='audit_has_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='correction',
            constraint=models.UniqueConstraint(fields=('game', 'number'), name='correction_number_once_a_game'),
        ),
        migrations.AddConstraint(
            model_name='correction',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='correction_number_from_1'),
        ),
        migrations.AddConstraint(
            model_name='correction',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('cards_left__isnull', True), ('holder__isnull', True), ('loser__isnull', True), ('void', True)), models.Q(('cards_left__isnull', False), ('holder__isnull', False), ('loser__isnull', False), ('void', False)), _connector='OR'), name='correction_void_xor_loser'),
        ),
        migrations.AddConstraint(
            model_name='correction',
            constraint=models.CheckConstraint(condition=models.Q(('loser__isnull', True), models.Q(('loser__gte', 0), ('loser__lt', 12)), _connector='OR'), name='correction_loser_0_to_11'),
        ),
        migrations.AddIndex(
            model_name='report',
            index=models.Index(condition=models.Q(('state', 'open')), fields=['at', 'id'], name='report_open'),
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('answered', None), ('effect', 'none'), ('state', 'open')), models.Q(('answered__isnull', False), ('effect', 'none'), ('state', 'dismissed')), models.Q(('answered__isnull', False), ('state', 'upheld')), _connector='OR'), name='report_state_and_answer_agree'),
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.CheckConstraint(condition=models.Q(('about', None), models.Q(('about', models.F('by')), _negated=True), _connector='OR'), name='report_not_oneself'),
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('by', 'about', 'kind'), name='report_once_open'),
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'table'), ('state', 'open')), fields=('by', 'table'), name='report_once_open_a_table'),
        ),
        migrations.RunPython(_on_postgresql(APPEND_ONLY), _on_postgresql(NOT_APPEND_ONLY)),
    ]
