// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.transfer;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.store.ImportConflictException;
import dev.porchlight.server.operator.transfer.LibrarySource.Dialect;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rows of SimpleWebAuthn's documentation as JSON lines, with its names of members. */
public final class SimpleWebAuthnSource implements ImportSource {
    private static final Set<String> MEMBERS =
            LineMembers.names("id publicKey user username displayName webauthnUserID webAuthnUserID counter deviceType"
                    + " backedUp transports aaguid name createdAt lastUsedAt");

    private final JsonLines lines;
    private final String origin;

    /**
     * Reads the lines of a file.
     *
     * @param origin the origin of the passkeys, which the rows do not contain
     */
    public SimpleWebAuthnSource(InputStream in, String origin) {
        this.lines = new JsonLines(in);
        this.origin = origin;
    }

    @Override
    public void readInto(Sink sink) throws IOException, InvalidLineException, ImportConflictException {
        lines.forEach(
                sink,
                (row, place) -> LibrarySource.deliver(
                        JsonObject.parse(convert(row), ""), Dialect.SIMPLEWEBAUTHN, origin, sink, place));
    }

    private static String convert(JsonObject row) throws MalformedException {
        LineMembers fields = new LineMembers(row, MEMBERS);
        String id = fields.credentialId("id");
        String username = row.isObject("user") ? row.object("user").text("username") : row.text("username");
        String handle = handle(fields, row);
        String key = ByteMember.read(row, "publicKey").base64Url();
        long counter = fields.count("counter");
        Boolean backedUp = fields.flag("backedUp");
        Boolean multiDevice = multiDevice(row);
        List<String> transports = transports(row);
        String aaguid = fields.optionalUuid("aaguid");
        String displayName = fields.optionalText("displayName");
        String name = fields.optionalText("name");
        Object createdAt = fields.optionalTime("createdAt");
        Object lastUsedAt = fields.optionalTime("lastUsedAt");
        return JsonWriter.object(line -> {
            line.text("id", id)
                    .text("username", username)
                    .text("publicKey", key)
                    .number("counter", counter);
            PasskeyLine.text(line, "userHandle", handle);
            PasskeyLine.flag(line, "backupEligible", multiDevice);
            PasskeyLine.flag(line, "backupState", backedUp);
            line.texts("transports", transports);
            PasskeyLine.text(line, "aaguid", aaguid);
            PasskeyLine.text(line, "displayName", displayName);
            PasskeyLine.text(line, "name", name);
            PasskeyLine.text(line, "createdAt", createdAt);
            PasskeyLine.text(line, "lastUsedAt", lastUsedAt);
        });
    }

    /** The documentation has both spellings. */
    private static @Nullable String handle(LineMembers fields, JsonObject row) throws MalformedException {
        String handle = fields.optionalHandle("webauthnUserID");
        String other = fields.optionalHandle("webAuthnUserID");
        if (handle != null && other != null) {
            throw row.malformed("webAuthnUserID", "present in two spellings");
        }
        return handle == null ? other : handle;
    }

    private static @Nullable Boolean multiDevice(JsonObject row) throws MalformedException {
        String type = row.optionalText("deviceType");
        if (type == null) {
            return null;
        }
        return switch (type) {
            case "multiDevice" -> true;
            case "singleDevice" -> false;
            default -> throw row.malformed("deviceType", "must be singleDevice or multiDevice");
        };
    }

    /** The documentation recommends a comma-separated string for SQL. */
    private static List<String> transports(JsonObject row) throws MalformedException {
        if (!row.isText("transports")) {
            return row.texts("transports");
        }
        String text = row.text("transports");
        return text.isEmpty() ? List.of() : List.of(text.split(",", -1));
    }
}
