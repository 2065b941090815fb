"""Addresses of games."""

from django.urls import URLPattern, path

from games.views import home, invites, inviting, lie, people, replay, series, table

urlpatterns: list[URLPattern] = [
    path("", home.home, name="home"),
    path("help/", home.rules_help, name="help"),
    path("people/<str:code>/", people.person, name="person"),
    path("people/<str:code>/block/", people.block, name="block"),
    path("me/", people.me, name="me"),
    path("me/name/", people.name, name="rename"),
    path("me/export/", people.export, name="export"),
    path("me/delete/", people.delete, name="delete"),
    path("me/keep/", people.keep, name="keep"),
    path("gone/", people.gone, name="gone"),
    path("new/", series.new, name="new"),
    path("tables/<str:code>/", series.series, name="series"),
    path("tables/<str:code>/deal/", series.deal, name="deal"),
    path("tables/<str:code>/repeat/", series.repeat, name="repeat"),
    path("tables/<str:code>/invites/", inviting.invites, name="invites"),
    path("tables/<str:code>/invites/act/", inviting.invite_act, name="invite_act"),
    path("i/<str:token>/", invites.invite, name="invite"),
    path("i/<str:token>/decline/", invites.decline, name="invite_decline"),
    path("nomail/<str:token>/", invites.no_mail, name="no_mail"),
    path("games/<str:code>/", table.table, name="table"),
    path("games/<str:code>/board/", table.board, name="board"),
    path("games/<str:code>/play/", table.play, name="play"),
    path("games/<str:code>/lie/", lie.lie, name="lie"),
    path("games/<str:code>/replay/<int:step>/", replay.replay, name="replay"),
    path("games/<str:code>/record.json", replay.record, name="record"),
]
