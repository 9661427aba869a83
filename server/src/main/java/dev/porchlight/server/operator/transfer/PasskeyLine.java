// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.transfer;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.cose.CredentialPublicKey;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.CredentialRecord.Authenticator;
import dev.porchlight.passkey.store.CredentialRecord.Details;
import dev.porchlight.passkey.store.CredentialRecord.Flags;
import dev.porchlight.passkey.store.UserRecord;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads and writes lines of Porchlight's export format. Unknown values have no member. Seals are not exported. */
final class PasskeyLine {
    static final String FORMAT = "porchlight-passkeys";
    static final long VERSION = 1;

    private static final Set<String> USER = Set.of("user", "handle", "name", "displayName");
    private static final Set<String> PASSKEY =
            LineMembers.names("passkey user publicKey signCount origin userHandle transports"
                    + " backupEligible backedUp userVerified verificationRequired discoverable aaguid attestationFormat"
                    + " attestationTrust name createdAt lastUsedAt");

    private PasskeyLine() {}

    static String write(UserRecord user) {
        return JsonWriter.object(line -> {
            line.text("user", user.userId()).text("handle", user.userHandle());
            text(line, "name", user.name());
            text(line, "displayName", user.displayName());
        });
    }

    static UserRecord readUser(JsonObject line) throws MalformedException {
        LineMembers fields = new LineMembers(line, USER);
        return new UserRecord(
                fields.userId("user"),
                fields.handle("handle"),
                fields.optionalText("name"),
                fields.optionalText("displayName"));
    }

    static String write(CredentialRecord passkey) throws MalformedException {
        CredentialPublicKey key = CredentialPublicKey.fromJwk(passkey.publicKey());
        return JsonWriter.object(line -> {
            line.text("passkey", passkey.credentialId())
                    .text("user", passkey.userId())
                    .object("publicKey", key::writeTo)
                    .number("signCount", passkey.signCount())
                    .text("origin", passkey.origin());
            text(line, "userHandle", passkey.userHandle());
            Authenticator authenticator = passkey.authenticator();
            if (!authenticator.transports().isEmpty()) {
                line.texts("transports", authenticator.transports());
            }
            Flags flags = passkey.flags();
            flag(line, "backupEligible", flags.backupEligible());
            flag(line, "backedUp", flags.backedUp());
            flag(line, "userVerified", flags.userVerified());
            flag(line, "verificationRequired", flags.verificationRequired());
            flag(line, "discoverable", flags.discoverable());
            text(line, "aaguid", authenticator.aaguid());
            text(line, "attestationFormat", authenticator.attestationFormat());
            text(line, "attestationTrust", authenticator.attestationTrust());
            text(line, "name", passkey.details().name());
            text(line, "createdAt", passkey.details().createdAt());
            text(line, "lastUsedAt", passkey.details().lastUsedAt());
        });
    }

    static CredentialRecord readPasskey(JsonObject line) throws MalformedException {
        LineMembers fields = new LineMembers(line, PASSKEY);
        return new CredentialRecord(
                fields.credentialId("passkey"),
                fields.userId("user"),
                CredentialPublicKey.fromForeignJwk(fields.object("publicKey")).toJwk(),
                fields.count("signCount"),
                fields.text("origin"),
                fields.optionalHandle("userHandle"),
                new Flags(
                        fields.flag("backupEligible"),
                        fields.flag("backedUp"),
                        fields.flag("userVerified"),
                        fields.flag("verificationRequired"),
                        fields.flag("discoverable")),
                new Authenticator(
                        fields.transports("transports"),
                        fields.optionalUuid("aaguid"),
                        fields.optionalWord("attestationFormat"),
                        fields.optionalWord("attestationTrust")),
                new Details(
                        fields.optionalText("name"),
                        fields.optionalTime("createdAt"),
                        fields.optionalTime("lastUsedAt")),
                null);
    }

    /** Writes a text, or a time as text, if it is known. */
    static void text(JsonWriter line, String name, @Nullable Object value) {
        if (value != null) {
            line.text(name, value.toString());
        }
    }

    /** Writes a flag if it is known. */
    static void flag(JsonWriter line, String name, @Nullable Boolean value) {
        if (value != null) {
            line.bool(name, value);
        }
    }
}
