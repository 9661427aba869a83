// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.transfer;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.store.ImportConflictException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads an export. It must be complete, from the header to the trailer. */
public final class PorchlightSource implements ImportSource {
    private final JsonLines lines;
    private long users;
    private long passkeys;

    public PorchlightSource(InputStream in) {
        this.lines = new JsonLines(in);
    }

    @Override
    public void readInto(Sink sink) throws IOException, InvalidLineException, ImportConflictException {
        try {
            head(lines.next());
            for (JsonObject line = lines.next(); ; line = lines.next()) {
                if (line == null) {
                    throw new InvalidLineException(lines.place(), "the last line is missing: the file was cut off");
                }
                if (line.names().contains("end")) {
                    end(line);
                    return;
                }
                if (line.names().contains("passkey")) {
                    passkeys++;
                    sink.passkey(PasskeyLine.readPasskey(line), lines.place());
                } else {
                    users++;
                    sink.user(PasskeyLine.readUser(line), lines.place());
                }
            }
        } catch (MalformedException e) {
            throw new InvalidLineException(lines.place(), String.valueOf(e.getMessage()));
        }
    }

    private void head(@Nullable JsonObject line) throws InvalidLineException, MalformedException {
        if (line == null || !PasskeyLine.FORMAT.equals(line.optionalText("format"))) {
            throw new InvalidLineException("line 1", "not an export of passkeys");
        }
        new LineMembers(line, Set.of("format", "version", "exportedAt"));
        if (!Long.valueOf(PasskeyLine.VERSION).equals(line.optionalInteger("version"))) {
            throw new InvalidLineException("line 1", "unsupported version");
        }
    }

    private void end(JsonObject line) throws IOException, InvalidLineException, MalformedException {
        LineMembers fields = new LineMembers(line, Set.of("end", "users", "passkeys"));
        if (fields.count("users") != users || fields.count("passkeys") != passkeys) {
            throw new InvalidLineException(
                    lines.place(),
                    "the numbers do not match: there are " + users + " users and " + passkeys + " passkeys");
        }
        if (lines.next() != null) {
            throw new InvalidLineException(lines.place(), "unexpected line after the end");
        }
    }
}
