// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.transfer;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.data.AttestationObject;
import dev.porchlight.passkey.data.AttestedCredential;
import dev.porchlight.passkey.data.AuthenticatorData;
import dev.porchlight.passkey.store.ImportConflictException;
import dev.porchlight.server.storage.DatabaseUrl;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the tables of Spring Security's JDBC repositories, {@code user_entities} and {@code user_credentials}. Each row is
 * converted to a line of {@link LibrarySource}, so that one reader validates both.
 */
public final class SpringSource implements ImportSource {
    private static final int PAGE = 500;
    private static final String ROWS = "SELECT c.credential_id, c.user_entity_user_id, e.name, e.display_name,"
            + " c.public_key, c.signature_count, c.uv_initialized, c.backup_eligible, c.backup_state,"
            + " c.authenticator_transports, c.attestation_object, c.created, c.last_used, c.label"
            + " FROM user_credentials c LEFT JOIN user_entities e ON e.id = c.user_entity_user_id"
            + " WHERE c.credential_id > ? ORDER BY c.credential_id LIMIT " + PAGE;

    /** A row as a line, with its id. */
    private record Row(String id, String line) {}

    private final DatabaseUrl database;
    private final String origin;

    /** The tables in this database, of a relying party at this origin. */
    public SpringSource(DatabaseUrl database, String origin) {
        this.database = database;
        this.origin = origin;
    }

    @Override
    public void readInto(Sink sink) throws IOException, InvalidLineException, ImportConflictException {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            snapshot(connection);
            String last = "";
            List<Row> page;
            do {
                page = Sql.query(connection, ROWS, SpringSource::read, last);
                for (Row row : page) {
                    String place = "credential " + row.id();
                    JsonLines.each(
                            sink,
                            place,
                            () -> LibrarySource.deliver(
                                    parse(row, place), LibrarySource.Dialect.YUBICO, origin, sink, place));
                    last = row.id();
                }
            } while (page.size() == PAGE);
            connection.rollback();
        } catch (SQLException e) {
            throw new IOException("Spring Security's tables could not be read", e);
        }
    }

    /** Sets the isolation for this transaction only, because a pooler may share the connection. SQLite is always isolated. */
    private static void snapshot(Connection connection) throws SQLException {
        if (connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")) {
            Sql.update(connection, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
        }
    }

    private static JsonObject parse(Row row, String place) throws InvalidLineException {
        try {
            return JsonObject.parse(row.line(), "");
        } catch (MalformedException e) {
            throw new InvalidLineException(place, String.valueOf(e.getMessage()));
        }
    }

    private static Row read(ResultSet row) throws SQLException {
        String id = row.getString(1);
        String line = JsonWriter.object(json -> {
            try {
                write(row, json.text("credentialId", id));
            } catch (SQLException e) {
                throw new IllegalStateException("the row " + id + " could not be read", e);
            }
        });
        return new Row(id, line);
    }

    private static void write(ResultSet row, JsonWriter json) throws SQLException {
        PasskeyLine.text(json, "userHandle", row.getString(2));
        PasskeyLine.text(json, "username", row.getString(3)); // null if the entity is missing, which the reader reports
        PasskeyLine.text(json, "displayName", row.getString(4));
        json.bytes("publicKeyCose", Bytes.copyOf(row.getBytes(5)));
        json.number("signatureCount", row.getLong(6));
        boolean verified = row.getBoolean(7);
        if (!row.wasNull()) {
            json.bool("uvInitialized", verified);
        }
        json.bool("backupEligible", row.getBoolean(8));
        json.bool("backupState", row.getBoolean(9));
        String transports = row.getString(10);
        if (transports != null && !transports.isEmpty()) {
            json.texts("transports", List.of(transports.split(",", -1)));
        }
        attestation(json, row.getBytes(11));
        time(json, "createdAt", row.getTimestamp(12));
        time(json, "lastUsedAt", row.getTimestamp(13));
        String label = row.getString(14);
        PasskeyLine.text(json, "name", label == null || label.isBlank() ? null : label);
    }

    /** Adds details of the authenticator, which a login does not need. */
    private static void attestation(JsonWriter json, byte @Nullable [] stored) {
        if (stored == null) {
            return;
        }
        try {
            AttestationObject object = AttestationObject.parse(Bytes.copyOf(stored));
            AttestedCredential credential =
                    AuthenticatorData.parse(object.authData()).attestedCredential();
            PasskeyLine.text(json, "aaguid", credential == null ? null : credential.aaguidText());
            PasskeyLine.text(json, "attestationFormat", object.format());
        } catch (MalformedException unreadable) {
            // omitted
        }
    }

    /** Spring writes local time, which is read in this JVM's time zone. */
    private static void time(JsonWriter json, String name, @Nullable Timestamp value) {
        PasskeyLine.text(json, name, value == null ? null : value.toInstant());
    }
}
