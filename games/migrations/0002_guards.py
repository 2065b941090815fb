"""What PostgreSQL guards beyond Django's constraints; SQLite, for one computer and tests, goes without.

- The log and the deal are append-only: UPDATE and DELETE are refused (TRUNCATE is not, for tests).
- A holder's seat is a seat of the holder's table.
- A game is over exactly when it has a result; checked when the transaction ends.
"""

from django.db import migrations

APPEND_ONLY = """
CREATE FUNCTION games_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'Rows of % are never changed and never deleted.', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER games_move_append_only BEFORE UPDATE OR DELETE ON games_move
    FOR EACH ROW EXECUTE FUNCTION games_append_only();
CREATE TRIGGER games_deal_append_only BEFORE UPDATE OR DELETE ON games_deal
    FOR EACH ROW EXECUTE FUNCTION games_append_only();
"""
NOT_APPEND_ONLY = """
DROP TRIGGER games_move_append_only ON games_move;
DROP TRIGGER games_deal_append_only ON games_deal;
DROP FUNCTION games_append_only();
"""

SEAT_OF_TABLE = """
ALTER TABLE games_holder ADD CONSTRAINT holder_seat_of_its_table FOREIGN KEY (seat_id, table_id)
    REFERENCES games_seat (id, table_id) DEFERRABLE INITIALLY DEFERRED;
"""
NOT_SEAT_OF_TABLE = "ALTER TABLE games_holder DROP CONSTRAINT holder_seat_of_its_table;"

OVER_HAS_RESULT = """
CREATE FUNCTION games_over_has_result() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    id_of_game bigint;
BEGIN
    IF TG_TABLE_NAME = 'games_game' THEN
        id_of_game := NEW.id;
    ELSE
        id_of_game := COALESCE(NEW.game_id, OLD.game_id);
    END IF;
    IF EXISTS (
        SELECT FROM games_game LEFT JOIN games_result ON games_result.game_id = games_game.id
        WHERE games_game.id = id_of_game AND (games_game.status = 'over') <> (games_result.id IS NOT NULL)
    ) THEN
        RAISE EXCEPTION 'Game % must be over exactly when it has a result.', id_of_game USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER games_game_over_has_result AFTER INSERT OR UPDATE OF status ON games_game
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION games_over_has_result();
CREATE CONSTRAINT TRIGGER games_result_over_has_result AFTER INSERT OR UPDATE OR DELETE ON games_result
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION games_over_has_result();
"""
NOT_OVER_HAS_RESULT = """
DROP TRIGGER games_game_over_has_result ON games_game;
DROP TRIGGER games_result_over_has_result ON games_result;
DROP FUNCTION games_over_has_result();
"""


def _on_postgresql(*statements):
    def run(apps, schema_editor):
        if schema_editor.connection.vendor == "postgresql":
            for each in statements:
                schema_editor.execute(each, params=None)

    return run


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]

    operations = [
        migrations.RunPython(
            _on_postgresql(APPEND_ONLY, SEAT_OF_TABLE, OVER_HAS_RESULT),
            _on_postgresql(NOT_OVER_HAS_RESULT, NOT_SEAT_OF_TABLE, NOT_APPEND_ONLY),
        ),
    ]
