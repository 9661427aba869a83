// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.transfer;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.cose.CoseKey;
import dev.porchlight.passkey.cose.CredentialPublicKey;
import dev.porchlight.passkey.data.AttestedCredential;
import dev.porchlight.passkey.data.CborMap;
import dev.porchlight.passkey.data.CborReader;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.CredentialRecord.Authenticator;
import dev.porchlight.passkey.store.CredentialRecord.Details;
import dev.porchlight.passkey.store.CredentialRecord.Flags;
import dev.porchlight.passkey.store.ImportConflictException;
import dev.porchlight.passkey.store.UserRecord;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Passkeys as applications store them with other libraries: JSON lines, each with its user. */
public final class LibrarySource implements ImportSource {
    private static final String COMMON = "username displayName userHandle transports uvInitialized backupEligible"
            + " backupState attestationFormat name createdAt lastUsedAt";

    /** The JSON members of a library. */
    public enum Dialect {
        /** The members of Yubico's RegisteredCredential: id, COSE key and count. */
        YUBICO("credentialId", "publicKeyCose", "signatureCount"),
        /** The output of webauthn4j's AttestedCredentialDataConverter, and a counter. */
        WEBAUTHN4J("", "attestedCredentialData", "counter"),
        SIMPLEWEBAUTHN("id", "publicKey", "counter"),
        KEYCLOAK("credentialId", "credentialPublicKey", "counter"),
        HANKO("id", "public_key", "sign_count");

        private final String id;
        private final String key;
        private final String count;

        @SuppressWarnings("ImmutableEnumChecker") // of Set.of
        private final Set<String> members;

        Dialect(String id, String key, String count) {
            this.id = id;
            this.key = key;
            this.count = count;
            this.members = LineMembers.names(COMMON + ' ' + key + ' ' + count + (id.isEmpty() ? "" : " aaguid " + id));
        }
    }

    /** The id, key and count of a credential, and the AAGUID if present. */
    private record Stored(
            String id,
            CborMap key,
            long signCount,
            @Nullable String aaguid) {}

    private final JsonLines lines;
    private final Dialect dialect;
    private final String origin;

    /**
     * Reads the lines of a file.
     *
     * @param origin the origin of the passkeys, which these libraries do not store
     */
    public LibrarySource(InputStream in, Dialect dialect, String origin) {
        this.lines = new JsonLines(in);
        this.dialect = dialect;
        this.origin = origin;
    }

    @Override
    public void readInto(Sink sink) throws IOException, InvalidLineException, ImportConflictException {
        lines.forEach(sink, (line, place) -> deliver(line, dialect, origin, sink, place));
    }

    static void deliver(JsonObject line, Dialect dialect, String origin, Sink sink, String place)
            throws InvalidLineException, ImportConflictException {
        try {
            LineMembers fields = new LineMembers(line, dialect.members);
            Stored stored = stored(fields, dialect);
            String userId = fields.userId("username");
            String handle = fields.optionalHandle("userHandle");
            CoseKey key = CoseKey.read(stored.key());
            if (!sink.supports(key.algorithm())) {
                sink.unsupported(place, key.algorithm());
                return;
            }
            CredentialRecord passkey = new CredentialRecord(
                    stored.id(),
                    userId,
                    CredentialPublicKey.fromCose(key).toJwk(),
                    stored.signCount(),
                    origin,
                    handle,
                    new Flags(
                            fields.flag("backupEligible"),
                            fields.flag("backupState"),
                            fields.flag("uvInitialized"),
                            null,
                            null),
                    new Authenticator(
                            fields.transports("transports"),
                            stored.aaguid(),
                            fields.optionalWord("attestationFormat"),
                            null),
                    new Details(
                            fields.optionalText("name"),
                            fields.optionalTime("createdAt"),
                            fields.optionalTime("lastUsedAt")),
                    null);
            if (handle != null) {
                sink.user(new UserRecord(userId, handle, userId, fields.optionalText("displayName")), place);
            }
            sink.passkey(passkey, place);
        } catch (MalformedException e) {
            throw new InvalidLineException(place, String.valueOf(e.getMessage()));
        }
    }

    private static Stored stored(LineMembers fields, Dialect dialect) throws MalformedException {
        if (dialect == Dialect.WEBAUTHN4J) {
            AttestedCredential credential = AttestedCredential.parse(fields.bytes(dialect.key));
            return new Stored(
                    credential.credentialId().base64Url(),
                    credential.publicKey(),
                    fields.count(dialect.count),
                    credential.aaguidText());
        }
        return new Stored(
                fields.credentialId(dialect.id),
                CborReader.readMap(fields.bytes(dialect.key), dialect.key),
                fields.count(dialect.count),
                fields.optionalUuid("aaguid"));
    }
}
