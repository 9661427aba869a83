// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.transfer;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.data.AttestationObject;
import dev.porchlight.passkey.data.AttestedCredential;
import dev.porchlight.passkey.data.AuthenticatorData;
import dev.porchlight.passkey.store.ImportConflictException;
import dev.porchlight.server.operator.transfer.Conversions.Members;
import dev.porchlight.server.storage.DatabaseUrl;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.List;
import java.util.Objects;
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
    private record Row(String id, JsonObject line) {}

    private final DatabaseUrl database;
    private final String origin;

    /** The tables in this database, of a relying party at this origin. */
    public SpringSource(DatabaseUrl database, String origin) {
        this.database = database;
        this.origin = origin;
    }

    @Override
    public void readInto(ImportSink sink) throws IOException, InvalidLineException, ImportConflictException {
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
                            () -> LibrarySource.deliver(row.line(), LibrarySource.Dialect.YUBICO, origin, sink, place));
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

    private static Row read(ResultSet row) throws SQLException {
        String id = row.getString(1);
        boolean verified = row.getBoolean(7);
        Members line = new Members()
                .with("credentialId", id)
                .with("uvInitialized", row.wasNull() ? null : verified)
                .with("userHandle", row.getString(2))
                .with("username", row.getString(3)) // null if the entity is missing, which the reader reports
                .with("displayName", row.getString(4))
                .with("publicKeyCose", Bytes.copyOf(row.getBytes(5)).base64Url())
                .with("signatureCount", row.getLong(6))
                .with("backupEligible", row.getBoolean(8))
                .with("backupState", row.getBoolean(9))
                .with("transports", Conversions.separated(Objects.requireNonNullElse(row.getString(10), "")))
                .with("createdAt", time(row.getTimestamp(12)))
                .with("lastUsedAt", time(row.getTimestamp(13)))
                .withName(row.getString(14));
        attestation(line, row.getBytes(11));
        return new Row(id, line.toObject());
    }

    /** Adds details of the authenticator, which a login does not need. */
    private static void attestation(Members line, byte @Nullable [] stored) {
        if (stored == null) {
            return;
        }
        try {
            AttestationObject object = AttestationObject.parse(Bytes.copyOf(stored));
            AttestedCredential credential =
                    AuthenticatorData.parse(object.authData()).attestedCredential();
            line.with("aaguid", credential == null ? null : credential.aaguidText())
                    .with("attestationFormat", object.format());
        } catch (MalformedException unreadable) {
            // omitted
        }
    }

    /** Spring writes local time, which is read in this JVM's time zone. */
    private static @Nullable String time(@Nullable Timestamp value) {
        return value == null ? null : value.toInstant().toString();
    }
}
