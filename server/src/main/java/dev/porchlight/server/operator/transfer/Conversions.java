// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.transfer;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Converts the entries of other products to the members that {@link LibrarySource} validates. */
final class Conversions {
    private static final Set<String> SIMPLEWEBAUTHN =
            LineMembers.names("id publicKey user username displayName webauthnUserID webAuthnUserID counter deviceType"
                    + " backedUp transports aaguid name createdAt lastUsedAt");

    private Conversions() {}

    /** Converts a credential of a user. Returns null if it must not become a passkey, perhaps with a reason to report. */
    @FunctionalInterface
    interface Conversion {
        @Nullable
        JsonObject convert(JsonObject user, JsonObject credential, Consumer<String> skipped) throws MalformedException;
    }

    /** Collects the members that are known. */
    static final class Members {
        private final Map<String, Object> known = new HashMap<>();

        Members with(String name, @Nullable Object value) {
            if (value != null) {
                known.put(name, value);
            }
            return this;
        }

        /** Adds a name that the user gave to a passkey. */
        Members withName(@Nullable String name) {
            return with("name", name == null || name.isBlank() ? null : name);
        }

        JsonObject toObject() {
            return JsonObject.of(known);
        }
    }

    /** A passwordless credential in the realm export of Keycloak. */
    static @Nullable JsonObject keycloak(JsonObject user, JsonObject credential, Consumer<String> skipped)
            throws MalformedException {
        String type = credential.text("type");
        boolean passwordless = type.equals("webauthn-passwordless");
        if (!passwordless && !type.equals("webauthn")) {
            return null; // a password or one-time code
        }
        if (!passwordless || Boolean.FALSE.equals(user.optionalBool("enabled"))) {
            skipped.accept(passwordless ? "the user is disabled in Keycloak" : "only a second factor in Keycloak");
            return null;
        }
        JsonObject data = JsonObject.parse(credential.text("credentialData"), "credentialData");
        String displayName = (Objects.requireNonNullElse(user.optionalText("firstName"), "")
                        + ' '
                        + Objects.requireNonNullElse(user.optionalText("lastName"), ""))
                .strip();
        Long created = credential.optionalInteger("createdDate");
        return new Members()
                .with("username", user.text("username"))
                .with("userHandle", Bytes.ofUtf8(user.text("id")).base64Url()) // which authenticators received
                .with("displayName", displayName.isEmpty() ? null : displayName)
                .with("credentialId", ByteMember.urlSafe(data.text("credentialId")))
                .with("credentialPublicKey", ByteMember.urlSafe(data.text("credentialPublicKey")))
                .with("counter", data.optionalInteger("counter"))
                .with("aaguid", data.optionalText("aaguid"))
                .with("attestationFormat", data.optionalText("attestationStatementFormat"))
                .with("transports", data.texts("transports"))
                .withName(credential.optionalText("userLabel"))
                .with(
                        "createdAt",
                        created == null ? null : Instant.ofEpochMilli(created).toString())
                .toObject();
    }

    /** A credential in the user export of Hanko. */
    static @Nullable JsonObject hanko(JsonObject user, JsonObject credential, Consumer<String> skipped)
            throws MalformedException {
        if (Boolean.TRUE.equals(credential.optionalBool("mfa_only"))) {
            skipped.accept("only a second factor in Hanko");
            return null;
        }
        return new Members()
                .with("username", hankoName(user))
                .with("userHandle", hankoHandle(user, credential))
                .with("id", credential.text("id"))
                .with("public_key", credential.text("public_key"))
                .with("sign_count", Objects.requireNonNullElse(credential.optionalInteger("sign_count"), 0L))
                .with("aaguid", credential.optionalText("aaguid"))
                .with("transports", credential.texts("transports"))
                .with("backupEligible", credential.optionalBool("backup_eligible"))
                .with("backupState", credential.optionalBool("backup_state"))
                .withName(credential.optionalText("name"))
                .with("createdAt", credential.optionalText("created_at"))
                .with("lastUsedAt", credential.optionalText("last_used_at"))
                .toObject();
    }

    /** The user name or, without one, the primary email address. */
    private static String hankoName(JsonObject user) throws MalformedException {
        String username = user.optionalText("username");
        if (username != null) {
            return username;
        }
        for (JsonObject email : user.objects("emails")) {
            if (Boolean.TRUE.equals(email.optionalBool("is_primary"))) {
                return email.text("address");
            }
        }
        throw user.malformed("username", "missing, and there is no primary email address");
    }

    /**
     * The bytes of the user's UUID, which Hanko gives to authenticators. Unknown for credentials that Hanko itself imported
     * with another handle.
     */
    private static @Nullable String hankoHandle(JsonObject user, JsonObject credential) throws MalformedException {
        if (credential.optionalText("user_handle") != null) {
            return null;
        }
        String id = user.text("user_id");
        if (!LineMembers.UUID.matcher(id).matches()) {
            throw user.malformed("user_id", "must be a lowercase UUID");
        }
        return Bytes.ofHex(id.replace("-", "")).base64Url();
    }

    /** A row of SimpleWebAuthn's documentation, with its names of members. */
    static JsonObject simpleWebAuthn(JsonObject row, JsonObject same, Consumer<String> skipped)
            throws MalformedException {
        LineMembers fields = new LineMembers(row, SIMPLEWEBAUTHN);
        // The documentation has both spellings.
        String handle = fields.optionalHandle("webauthnUserID");
        String other = fields.optionalHandle("webAuthnUserID");
        if (handle != null && other != null) {
            throw row.malformed("webAuthnUserID", "present in two spellings");
        }
        String type = row.optionalText("deviceType");
        if (type != null && !type.equals("multiDevice") && !type.equals("singleDevice")) {
            throw row.malformed("deviceType", "must be singleDevice or multiDevice");
        }
        return new Members()
                .with("id", row.text("id"))
                .with("username", (row.isObject("user") ? row.object("user") : row).text("username"))
                .with("userHandle", handle == null ? other : handle)
                .with("displayName", row.optionalText("displayName"))
                .with("publicKey", ByteMember.read(row, "publicKey").base64Url())
                .with("counter", row.optionalInteger("counter"))
                .with("backupEligible", type == null ? null : type.equals("multiDevice"))
                .with("backupState", row.optionalBool("backedUp"))
                .with("transports", transports(row))
                .with("aaguid", row.optionalText("aaguid"))
                .with("name", row.optionalText("name"))
                .with("createdAt", row.optionalText("createdAt"))
                .with("lastUsedAt", row.optionalText("lastUsedAt"))
                .toObject();
    }

    /** The documentation recommends a comma-separated string for SQL. */
    private static List<String> transports(JsonObject row) throws MalformedException {
        return row.isText("transports") ? separated(row.text("transports")) : row.texts("transports");
    }

    static List<String> separated(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(",", -1));
    }
}
