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
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The users of a Keycloak realm export, one per line, with their passwordless WebAuthn credentials. */
public final class KeycloakSource implements ImportSource {
    private static final String PASSWORDLESS = "webauthn-passwordless";
    private static final String SECOND_FACTOR = "webauthn";

    private final JsonLines lines;
    private final String origin;

    /**
     * Reads the lines of a file.
     *
     * @param origin the origin of the passkeys, which Keycloak does not store
     */
    public KeycloakSource(InputStream in, String origin) {
        this.lines = new JsonLines(in);
        this.origin = origin;
    }

    @Override
    public void readInto(Sink sink) throws IOException, InvalidLineException, ImportConflictException {
        lines.forEachCredential(
                sink, "credentials", (user, credential, place) -> deliver(user, credential, sink, place));
    }

    private void deliver(JsonObject user, JsonObject credential, Sink sink, String place)
            throws InvalidLineException, ImportConflictException, MalformedException {
        String type = credential.text("type");
        boolean passwordless = type.equals(PASSWORDLESS);
        if (!passwordless && !type.equals(SECOND_FACTOR)) {
            return; // a password or one-time code
        }
        if (!passwordless) {
            sink.skipped(place, "only a second factor in Keycloak");
        } else if (Boolean.FALSE.equals(user.optionalBool("enabled"))) {
            sink.skipped(place, "the user is disabled in Keycloak");
        } else {
            LibrarySource.deliver(
                    JsonObject.parse(convert(user, credential), ""), Dialect.KEYCLOAK, origin, sink, place);
        }
    }

    private static String convert(JsonObject user, JsonObject credential) throws MalformedException {
        JsonObject data = JsonObject.parse(credential.text("credentialData"), "credentialData");
        String username = user.text("username");
        String handle = Bytes.ofUtf8(user.text("id")).base64Url(); // the handle that Keycloak gives to authenticators
        String displayName = displayName(user);
        String id = ByteMember.urlSafe(data.text("credentialId"));
        String key = ByteMember.urlSafe(data.text("credentialPublicKey"));
        Long counter = data.optionalInteger("counter");
        String aaguid = data.optionalText("aaguid");
        String format = data.optionalText("attestationStatementFormat");
        List<String> transports = data.texts("transports");
        String label = credential.optionalText("userLabel");
        Long created = credential.optionalInteger("createdDate");
        return JsonWriter.object(line -> {
            line.text("username", username)
                    .text("userHandle", handle)
                    .text("credentialId", id)
                    .text("credentialPublicKey", key)
                    .number("counter", counter == null ? -1 : counter); // the reader refuses -1
            PasskeyLine.text(line, "displayName", displayName);
            PasskeyLine.text(line, "aaguid", aaguid);
            PasskeyLine.text(line, "attestationFormat", format);
            line.texts("transports", transports);
            PasskeyLine.text(line, "name", label == null || label.isBlank() ? null : label);
            PasskeyLine.text(line, "createdAt", created == null ? null : Instant.ofEpochMilli(created));
        });
    }

    private static @Nullable String displayName(JsonObject user) throws MalformedException {
        String first = user.optionalText("firstName");
        String last = user.optionalText("lastName");
        String both = ((first == null ? "" : first) + ' ' + (last == null ? "" : last)).strip();
        return both.isEmpty() ? null : both;
    }
}
