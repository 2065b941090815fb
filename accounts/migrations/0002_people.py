"""Guests, codes of people's pages, zones, choices, blocks: columns and tables only, what is stored stays as it is."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.AlterField(
            model_name='user',
            name='email',
            field=models.EmailField(blank=True, default=None, max_length=254, null=True, unique=True, verbose_name='email address'),
        ),
        migrations.AlterField(
            model_name='user',
            name='name',
            field=models.CharField(max_length=160, verbose_name='name'),
        ),
        # Null until 0003 has given everybody one of their own.
        migrations.AddField(
            model_name='user',
            name='code',
            field=models.CharField(default=None, editable=False, max_length=10, null=True, verbose_name='code of their page'),
        ),
        migrations.AddField(
            model_name='user',
            name='zone',
            field=models.CharField(blank=True, default='', help_text='Empty: not known yet.', max_length=64, verbose_name='time zone'),
        ),
        migrations.AddField(
            model_name='user',
            name='language',
            field=models.CharField(blank=True, default='', help_text="Empty: the browser's.", max_length=16, verbose_name='language'),
        ),
        migrations.AddField(
            model_name='user',
            name='hide_online',
            field=models.BooleanField(default=False, verbose_name='hides when they are here'),
        ),
        migrations.AddField(
            model_name='user',
            name='notices',
            field=models.JSONField(blank=True, default=dict, verbose_name='mails they chose'),
        ),
        migrations.AddField(
            model_name='user',
            name='erase_at',
            field=models.DateTimeField(blank=True, default=None, null=True, verbose_name='is erased at'),
        ),
        migrations.CreateModel(
            name='Block',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('other', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='blocked_by', to=settings.AUTH_USER_MODEL)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='blocks', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('owner', 'other'), name='block_once'), models.CheckConstraint(condition=models.Q(('owner', models.F('other')), _negated=True), name='block_not_oneself')],
            },
        ),
    ]
