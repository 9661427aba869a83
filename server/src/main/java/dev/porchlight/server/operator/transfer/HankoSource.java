// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.transfer;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.store.ImportConflictException;
import dev.porchlight.server.operator.transfer.LibrarySource.Dialect;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The entries of Hanko's user export, one per line, with their passkeys. */
public final class HankoSource implements ImportSource {
    private final JsonLines lines;
    private final String origin;

    /**
     * Reads the lines of a file.
     *
     * @param origin the origin of the passkeys, which Hanko does not store
     */
    public HankoSource(InputStream in, String origin) {
        this.lines = new JsonLines(in);
        this.origin = origin;
    }

    @Override
    public void readInto(Sink sink) throws IOException, InvalidLineException, ImportConflictException {
        lines.forEachCredential(
                sink, "webauthn_credentials", (user, credential, place) -> deliver(user, credential, sink, place));
    }

    private void deliver(JsonObject user, JsonObject credential, Sink sink, String place)
            throws InvalidLineException, ImportConflictException, MalformedException {
        if (Boolean.TRUE.equals(credential.optionalBool("mfa_only"))) {
            sink.skipped(place, "only a second factor in Hanko");
            return;
        }
        LibrarySource.deliver(JsonObject.parse(convert(user, credential), ""), Dialect.HANKO, origin, sink, place);
    }

    private static String convert(JsonObject user, JsonObject credential) throws MalformedException {
        String username = username(user);
        String handle = handle(user, credential);
        String id = credential.text("id");
        String key = credential.text("public_key");
        Long count = credential.optionalInteger("sign_count");
        String aaguid = credential.optionalText("aaguid");
        List<String> transports = credential.texts("transports");
        Boolean eligible = credential.optionalBool("backup_eligible");
        Boolean state = credential.optionalBool("backup_state");
        String name = credential.optionalText("name");
        String created = credential.optionalText("created_at");
        String used = credential.optionalText("last_used_at");
        return JsonWriter.object(line -> {
            line.text("username", username)
                    .text("id", id)
                    .text("public_key", key)
                    .number("sign_count", count == null ? 0 : count); // optional in Hanko's format
            PasskeyLine.text(line, "userHandle", handle);
            PasskeyLine.text(line, "aaguid", aaguid);
            line.texts("transports", transports);
            PasskeyLine.flag(line, "backupEligible", eligible);
            PasskeyLine.flag(line, "backupState", state);
            PasskeyLine.text(line, "name", name == null || name.isBlank() ? null : name);
            PasskeyLine.text(line, "createdAt", created);
            PasskeyLine.text(line, "lastUsedAt", used);
        });
    }

    /** The user name or, without one, the primary email address. */
    private static String username(JsonObject user) throws MalformedException {
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
    private static @Nullable String handle(JsonObject user, JsonObject credential) throws MalformedException {
        if (credential.optionalText("user_handle") != null) {
            return null;
        }
        String id = user.text("user_id");
        if (!LineMembers.UUID.matcher(id).matches()) {
            throw user.malformed("user_id", "must be a lowercase UUID");
        }
        return Bytes.ofHex(id.replace("-", "")).base64Url();
    }
}
