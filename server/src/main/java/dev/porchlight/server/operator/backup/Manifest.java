// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.backup;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.auth.DerivedKeys;
import java.io.IOException;
import java.time.Instant;

/**
 * The manifest of a backup.
 *
 * @param users the number of users
 * @param passkeys the number of passkeys
 * @param secretMark identifies the secret without revealing it
 */
public record Manifest(Instant createdAt, long users, long passkeys, String secretMark) {
    static final String ENTRY = "backup.json";
    static final int MAX_BYTES = 4_096;

    private static final String FORMAT = "porchlight-backup";
    private static final long VERSION = 1;

    static String markOf(String secret) {
        return Bytes.copyOf(new DerivedKeys(secret).forPurpose("mark of a backup"))
                .slice(0, 12)
                .base64Url();
    }

    String toJson() {
        return JsonWriter.object(json -> json.text("format", FORMAT)
                .number("version", VERSION)
                .text("createdAt", createdAt.toString())
                .number("users", users)
                .number("passkeys", passkeys)
                .text("secretMark", secretMark));
    }

    static Manifest parse(String json) throws IOException {
        try {
            JsonObject object = JsonObject.parse(json, "");
            if (!object.text("format").equals(FORMAT)
                    || !Long.valueOf(VERSION).equals(object.optionalInteger("version"))) {
                throw new IOException("this release cannot read the backup");
            }
            Long users = object.optionalInteger("users");
            Long passkeys = object.optionalInteger("passkeys");
            if (users == null || passkeys == null) {
                throw new IOException("the manifest of the backup is invalid");
            }
            return new Manifest(Instant.parse(object.text("createdAt")), users, passkeys, object.text("secretMark"));
        } catch (MalformedException | java.time.DateTimeException e) {
            throw new IOException("the manifest of the backup is invalid", e);
        }
    }
}
