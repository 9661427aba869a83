// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.SqlDialect;
import dev.porchlight.passkey.cose.KeyType;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The shapes of stored passkeys, and the table of decoys in {@code passkey_decoy}. A sample is a few short
 * reads along the primary key, independent of the number of passkeys. Thread-safe.
 */
public final class SqlPasskeyShapes implements PasskeyShapes {
    /** The limit follows as a literal: SQLite recompiles a statement each time a limit is bound. */
    private static final String SAMPLE =
            "SELECT credential_id, transports, (SELECT COUNT(*) FROM passkey_credential AS o"
                    + " WHERE o.user_id = c.user_id), SUBSTR(public_key, 1, " + KeyType.START_CHARS
                    + ") FROM passkey_credential AS c"
                    + " WHERE credential_id >= ? ORDER BY credential_id LIMIT ";

    private static final String MORE_THAN = "SELECT 1 FROM passkey_credential LIMIT 1 OFFSET ";

    private static final String READ = "SELECT shapes FROM passkey_decoy WHERE name = 'shapes'";
    private static final SqlDialect.Statement CREATE = SqlDialect.Statement.insertIfAbsent(
            "INSERT INTO passkey_decoy (name, shapes) VALUES ('shapes', ?)", "name");
    private static final String REPLACE = "UPDATE passkey_decoy SET shapes = ? WHERE name = 'shapes' AND shapes = ?";

    /** The ids of one passkey of each kind, and of a user with each number of passkeys, the rarest first. */
    private static final List<String> RARE = List.of(
            "SELECT MIN(credential_id) FROM passkey_credential"
                    + " GROUP BY LENGTH(credential_id), transports, LENGTH(public_key) ORDER BY COUNT(*) LIMIT 128",
            "SELECT MIN(id) FROM (SELECT MIN(credential_id) AS id, COUNT(*) AS n FROM passkey_credential"
                    + " GROUP BY user_id) AS owners GROUP BY n ORDER BY COUNT(*) LIMIT 32");

    private static final String IMPORTED = "SELECT shapes FROM passkey_decoy WHERE name = 'imported'";
    private static final String CLEAR = "DELETE FROM passkey_decoy WHERE name = 'imported'";
    private static final String KEEP = "INSERT INTO passkey_decoy (name, shapes) VALUES ('imported', ?)";

    private final Sql sql;

    /** Creates a source for the passkeys in this database. */
    public SqlPasskeyShapes(Sql sql) {
        this.sql = sql;
    }

    @Override
    public List<Shape> sample(List<String> startingIds, int most) {
        boolean few = sql.query(MORE_THAN + most, row -> true).isEmpty();
        if (few || startingIds.isEmpty()) {
            return sql.query(SAMPLE + most, SqlPasskeyShapes::read, "");
        }
        List<Shape> sample = new ArrayList<>();
        for (String id : startingIds) {
            sample.addAll(sql.query(SAMPLE + most / startingIds.size(), SqlPasskeyShapes::read, id));
        }
        return sample;
    }

    @Override
    public @Nullable String saved() {
        return Sql.first(sql.query(READ, row -> row.getString(1)));
    }

    @Override
    public boolean save(@Nullable String expected, String next) {
        return expected == null ? sql.insertIfAbsent(CREATE, next) : sql.update(REPLACE, next, expected) == 1;
    }

    /** Finds the rare shapes after an import, for the next table. Reads all passkeys, which takes less than the import. */
    static void keepRare(Connection connection) throws SQLException {
        List<String> ids = new ArrayList<>();
        for (String rare : RARE) {
            ids.addAll(Sql.query(connection, rare, row -> row.getString(1)));
        }
        Sql.update(connection, CLEAR);
        Sql.update(connection, KEEP, String.join("\n", ids));
    }

    @Override
    public List<String> imported() {
        String ids = Sql.first(sql.query(IMPORTED, row -> row.getString(1)));
        return ids == null ? List.of() : List.of(ids.split("\n", -1));
    }

    @Override
    public void adopted(List<String> ids) {
        sql.update(CLEAR + " AND shapes = ?", String.join("\n", ids));
    }

    private static Shape read(ResultSet row) throws SQLException {
        // Four characters of base64url are three bytes.
        int bytes = row.getString(1).length() * 3 / 4;
        return new Shape(
                Math.max(1, bytes),
                CredentialRow.transports(row.getString(2)),
                row.getInt(3),
                KeyType.algorithmOf(row.getString(4)));
    }
}
