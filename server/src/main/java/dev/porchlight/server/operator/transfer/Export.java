// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.transfer;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.PasskeyExport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.time.Instant;

/** Writes all users and passkeys as JSON lines: a header, the users, the passkeys, and a trailer with their numbers. */
public final class Export {
    private final Writer out;
    private long users;
    private long passkeys;

    public Export(Writer out) {
        this.out = out;
    }

    /** Writes the export and returns the number of passkeys. */
    public long write(PasskeyExport source, Instant now) throws IOException {
        try {
            line(JsonWriter.object(head -> head.text("format", PasskeyLine.FORMAT)
                    .number("version", PasskeyLine.VERSION)
                    .text("exportedAt", now.toString())));
            source.read(
                    user -> {
                        line(PasskeyLine.write(user));
                        users++;
                    },
                    passkey -> {
                        line(write(passkey));
                        passkeys++;
                    });
            line(JsonWriter.object(
                    end -> end.bool("end", true).number("users", users).number("passkeys", passkeys)));
            out.flush();
            return passkeys;
        } catch (UncheckedIOException e) {
            throw new IOException("the export could not be written", e);
        }
    }

    private static String write(CredentialRecord passkey) {
        try {
            return PasskeyLine.write(passkey);
        } catch (MalformedException e) {
            throw new IllegalStateException(
                    "the passkey " + passkey.credentialId() + " of " + passkey.userId()
                            + " has an invalid public key: remove it",
                    e);
        }
    }

    private void line(String line) {
        try {
            out.write(line);
            out.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
