// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import dev.porchlight.passkey.store.CredentialRecord.Authenticator;
import dev.porchlight.passkey.store.CredentialRecord.Details;
import dev.porchlight.passkey.store.CredentialRecord.Flags;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A {@link CredentialRecord} as a row of {@code passkey_credential}: flags are 0 and 1, times are milliseconds. */
final class CredentialRow {
    /** The columns in the order of {@link #arguments}. */
    static final String COLUMNS = "credential_id, user_id, public_key, sign_count, origin, user_handle, transports,"
            + " backup_eligible, backed_up, user_verified, verification_required, discoverable,"
            + " aaguid, attestation_format, attestation_trust, name, created_at, last_used_at";

    /** The columns and the seal, which is in a separate table. */
    static final String READ_COLUMNS =
            COLUMNS + ", (SELECT seal FROM passkey_seal AS s WHERE s.credential_id = passkey_credential.credential_id)";

    static final String MARKS = "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?";

    private CredentialRow() {}

    /**
     * A row that was read.
     *
     * @param credential null if the row holds impossible values
     * @param fault the reason, otherwise empty
     */
    record Reading(
            String credentialId, String userId, @Nullable CredentialRecord credential, String fault) {
        UnreadableRow unreadable() {
            return new UnreadableRow(credentialId, userId, fault);
        }
    }

    static @Nullable Object[] arguments(CredentialRecord credential) {
        var flags = credential.flags();
        var authenticator = credential.authenticator();
        return new @Nullable Object[] {
            credential.credentialId(),
            credential.userId(),
            credential.publicKey(),
            credential.signCount(),
            credential.origin(),
            credential.userHandle(),
            authenticator.transports().isEmpty() ? null : String.join(",", authenticator.transports()),
            flag(flags.backupEligible()),
            flag(flags.backedUp()),
            flag(flags.userVerified()),
            flag(flags.verificationRequired()),
            flag(flags.discoverable()),
            authenticator.aaguid(),
            authenticator.attestationFormat(),
            authenticator.attestationTrust(),
            credential.details().name(),
            millis(credential.details().createdAt()),
            millis(credential.details().lastUsedAt())
        };
    }

    /** Reads a row of {@link #READ_COLUMNS}, which may hold impossible values. */
    static Reading tryRead(ResultSet row) throws SQLException {
        String credentialId = row.getString(1);
        String userId = row.getString(2);
        try {
            return new Reading(credentialId, userId, read(row, credentialId, userId), "");
        } catch (IllegalArgumentException e) {
            return new Reading(credentialId, userId, null, String.valueOf(e.getMessage()));
        }
    }

    private static CredentialRecord read(ResultSet row, String credentialId, String userId) throws SQLException {
        return new CredentialRecord(
                credentialId,
                userId,
                row.getString(3),
                row.getLong(4),
                row.getString(5),
                row.getString(6),
                new Flags(flag(row, 8), flag(row, 9), flag(row, 10), flag(row, 11), flag(row, 12)),
                new Authenticator(
                        transports(row.getString(7)), row.getString(13), row.getString(14), row.getString(15)),
                new Details(row.getString(16), instant(row, 17), instant(row, 18)),
                row.getString(19));
    }

    static @Nullable Integer flag(@Nullable Boolean value) {
        return value == null ? null : Integer.valueOf(value ? 1 : 0);
    }

    private static @Nullable Boolean flag(ResultSet row, int column) throws SQLException {
        int value = row.getInt(column);
        return row.wasNull() ? null : Boolean.valueOf(value != 0);
    }

    private static @Nullable Long millis(@Nullable Instant time) {
        return time == null ? null : Long.valueOf(time.toEpochMilli());
    }

    private static @Nullable Instant instant(ResultSet row, int column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? null : Instant.ofEpochMilli(value);
    }

    static List<String> transports(@Nullable String joined) {
        return joined == null || joined.isEmpty() ? List.of() : List.of(joined.split(","));
    }
}
