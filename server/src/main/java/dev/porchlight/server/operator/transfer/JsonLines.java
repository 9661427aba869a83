// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.operator.transfer.ImportSource.InvalidLineException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import org.jspecify.annotations.Nullable;

/** Reads JSON lines in strict UTF-8, of bounded length, and keeps the line number. Not thread-safe. */
final class JsonLines {
    private static final int MAX_CHARS = 65_536;

    private final BufferedReader reader;
    private long number;

    JsonLines(InputStream in) {
        reader = new BufferedReader(new InputStreamReader(
                in,
                UTF_8.newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT)));
    }

    /** The position of the last line, for messages. */
    String place() {
        return "line " + number;
    }

    /** Returns the object of the next line, or null at the end. */
    @Nullable
    JsonObject next() throws IOException, InvalidLineException {
        number++;
        String line = line();
        if (line == null) {
            return null;
        }
        try {
            return JsonObject.parse(line, "");
        } catch (MalformedException e) {
            throw new InvalidLineException(place(), String.valueOf(e.getMessage()));
        }
    }

    private @Nullable String line() throws IOException, InvalidLineException {
        StringBuilder line = new StringBuilder();
        try {
            for (int c = reader.read(); c >= 0; c = reader.read()) {
                if (c == '\n') {
                    return line.toString();
                }
                if (line.length() == MAX_CHARS) {
                    throw new InvalidLineException(place(), "longer than " + MAX_CHARS + " characters");
                }
                line.append((char) c);
            }
        } catch (CharacterCodingException e) {
            throw new InvalidLineException(place(), "not UTF-8");
        }
        return line.length() == 0 ? null : line.toString();
    }
}
