// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.transfer;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.store.ClashException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What {@link Export} wrote. It must be whole: from the head to the end that tells how much there is. */
public final class OwnLines implements Arrivals {
    private final Lines lines;
    private long users;
    private long passkeys;

    public OwnLines(InputStream in) {
        this.lines = new Lines(in);
    }

    @Override
    public void readInto(Sink sink) throws IOException, BadLineException, ClashException {
        try {
            head(lines.next());
            for (JsonObject line = lines.next(); ; line = lines.next()) {
                if (line == null) {
                    throw new BadLineException(lines.place(), "the last line is missing: the file was cut off");
                }
                if (line.names().contains("end")) {
                    end(line);
                    return;
                }
                boolean reserved = PasskeyLine.FORMER_CANARY.equals(line.optionalText("user"));
                if (line.names().contains("passkey")) {
                    passkeys++;
                    if (!reserved) {
                        sink.passkey(PasskeyLine.readPasskey(line), lines.place());
                    }
                } else {
                    users++;
                    if (!reserved) {
                        sink.user(PasskeyLine.readUser(line), lines.place());
                    }
                }
            }
        } catch (MalformedException e) {
            throw new BadLineException(lines.place(), String.valueOf(e.getMessage()));
        }
    }

    private void head(@Nullable JsonObject line) throws BadLineException, MalformedException {
        if (line == null || !PasskeyLine.FORMAT.equals(line.optionalText("format"))) {
            throw new BadLineException("line 1", "not the beginning of an export of passkeys");
        }
        new LineMembers(line, Set.of("format", "version", "exportedAt"));
        if (!Long.valueOf(PasskeyLine.VERSION).equals(line.optionalInteger("version"))) {
            throw new BadLineException("line 1", "of a version that this release does not know");
        }
    }

    private void end(JsonObject line) throws IOException, BadLineException, MalformedException {
        LineMembers fields = new LineMembers(line, Set.of("end", "users", "passkeys"));
        if (fields.count("users") != users || fields.count("passkeys") != passkeys) {
            throw new BadLineException(lines.place(), "there were " + users + " users and " + passkeys + " passkeys");
        }
        if (lines.next() != null) {
            throw new BadLineException(lines.place(), "something after the end");
        }
    }
}
