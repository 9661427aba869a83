// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.transfer;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.cose.CoseKey;
import dev.porchlight.passkey.cose.CredentialPublicKey;
import dev.porchlight.passkey.data.AttestedCredential;
import dev.porchlight.passkey.data.CborReader;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.CredentialRecord.Authenticator;
import dev.porchlight.passkey.store.CredentialRecord.Details;
import dev.porchlight.passkey.store.CredentialRecord.Flags;
import dev.porchlight.passkey.store.ImportConflictException;
import dev.porchlight.passkey.store.UserRecord;
import dev.porchlight.server.operator.transfer.Conversions.Conversion;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;

/** Passkeys of other libraries and products: JSON lines, each with a passkey and its user, or a user with passkeys. */
public final class LibrarySource implements ImportSource {
    private static final String COMMON = "username displayName userHandle transports uvInitialized backupEligible"
            + " backupState attestationFormat name createdAt lastUsedAt";

    /** The JSON members of a library. */
    public enum Dialect {
        /** The members of Yubico's RegisteredCredential: id, COSE key and count. */
        YUBICO("", "credentialId", "publicKeyCose", "signatureCount", (line, same, skipped) -> line),
        /** The output of webauthn4j's AttestedCredentialDataConverter, and a counter. */
        WEBAUTHN4J("", "", "attestedCredentialData", "counter", (line, same, skipped) -> line),
        SIMPLEWEBAUTHN("", "id", "publicKey", "counter", Conversions::simpleWebAuthn),
        KEYCLOAK("credentials", "credentialId", "credentialPublicKey", "counter", Conversions::keycloak),
        HANKO("webauthn_credentials", "id", "public_key", "sign_count", Conversions::hanko);

        private final String list;
        private final String id;
        private final String key;
        private final String count;

        @SuppressWarnings("ImmutableEnumChecker") // without state
        private final Conversion conversion;

        @SuppressWarnings("ImmutableEnumChecker") // of Set.of
        private final Set<String> members;

        /** @param list the member with the passkeys of a user; empty if a line is a passkey */
        Dialect(String list, String id, String key, String count, Conversion conversion) {
            this.list = list;
            this.id = id;
            this.key = key;
            this.count = count;
            this.conversion = conversion;
            this.members = LineMembers.names(COMMON + ' ' + key + ' ' + count + (id.isEmpty() ? "" : " aaguid " + id));
        }
    }

    private final JsonLines lines;
    private final Dialect dialect;
    private final String origin;
    private boolean found;

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
    public void readInto(ImportSink sink) throws IOException, InvalidLineException, ImportConflictException {
        boolean listed = !dialect.list.isEmpty();
        lines.forEach(sink, (line, place) -> {
            if (listed) {
                readList(line, sink, place);
            } else {
                convert(line, line, sink, place);
            }
        });
        if (listed && !lines.areEmpty() && !found) {
            throw new InvalidLineException("all lines", dialect.list + ": missing. Check the format of the file.");
        }
    }

    private void readList(JsonObject user, ImportSink sink, String place)
            throws IOException, InvalidLineException, MalformedException, ImportConflictException {
        found |= user.names().contains(dialect.list);
        int count = 0;
        for (JsonObject credential : user.objects(dialect.list)) {
            count++;
            String each = place + ", credential " + count;
            JsonLines.each(sink, each, () -> convert(user, credential, sink, each));
        }
    }

    private void convert(JsonObject user, JsonObject credential, ImportSink sink, String place)
            throws InvalidLineException, MalformedException, ImportConflictException {
        JsonObject entry = dialect.conversion.convert(user, credential, reason -> sink.skipped(place, reason));
        if (entry != null) {
            deliver(entry, dialect, origin, sink, place);
        }
    }

    static void deliver(JsonObject line, Dialect dialect, String origin, ImportSink sink, String place)
            throws InvalidLineException, MalformedException, ImportConflictException {
        LineMembers fields = new LineMembers(line, dialect.members);
        AttestedCredential attested =
                dialect == Dialect.WEBAUTHN4J ? AttestedCredential.parse(fields.bytes(dialect.key)) : null;
        String userId = fields.userId("username");
        String handle = fields.optionalHandle("userHandle");
        CoseKey key = CoseKey.read(
                attested == null ? CborReader.readMap(fields.bytes(dialect.key), dialect.key) : attested.publicKey());
        if (!sink.supports(key.algorithm(), place)) {
            return;
        }
        CredentialRecord passkey = new CredentialRecord(
                attested == null
                        ? fields.credentialId(dialect.id)
                        : attested.credentialId().base64Url(),
                userId,
                CredentialPublicKey.fromCose(key).toJwk(),
                fields.count(dialect.count),
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
                        attested == null ? fields.optionalUuid("aaguid") : attested.aaguidText(),
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
    }
}
