// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.store.ImportConflictException;
import dev.porchlight.server.operator.transfer.ImportSource.InvalidLineException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import org.jspecify.annotations.Nullable;

/** Reads JSON lines in strict UTF-8, of bounded length, and keeps the line number. Not thread-safe. */
final class JsonLines {
    private static final int MAX_CHARS = 65_536;
    /** The longest UTF-8 encoding of that many characters. */
    private static final int MAX_BYTES = 3 * MAX_CHARS;

    /** Reads one line. */
    interface LineReader {
        void read(JsonObject line, String place)
                throws IOException, InvalidLineException, MalformedException, ImportConflictException;
    }

    /** Reads one entry of the input. */
    interface EntryReader {
        void read() throws IOException, InvalidLineException, MalformedException, ImportConflictException;
    }

    private final InputStream in;
    private long number;
    private boolean ended;

    /** Reads single bytes, so the stream should be buffered. */
    JsonLines(InputStream in) {
        this.in = in;
    }

    /** Passes every line to a reader, and invalid lines to the sink. */
    void forEach(ImportSink sink, LineReader reader) throws IOException, InvalidLineException, ImportConflictException {
        while (!ended) {
            String place = "line " + (number + 1);
            each(sink, place, () -> {
                JsonObject line = next();
                if (line != null) {
                    reader.read(line, place);
                }
            });
        }
    }

    /** Whether there was no line. */
    boolean areEmpty() {
        return number == 1;
    }

    /** Reads one entry, and passes an invalid one to the sink. */
    static void each(ImportSink sink, String place, EntryReader reader)
            throws IOException, InvalidLineException, ImportConflictException {
        try {
            reader.read();
        } catch (MalformedException e) {
            sink.invalid(new InvalidLineException(place, String.valueOf(e.getMessage())));
        } catch (InvalidLineException e) {
            sink.invalid(e);
        }
    }

    /** The position of the last line, for messages. */
    String place() {
        return "line " + number;
    }

    /** Returns the object of the next line, or null at the end. */
    @Nullable
    JsonObject next() throws IOException, InvalidLineException, MalformedException {
        number++;
        String line = line();
        return line == null ? null : JsonObject.parse(line, "");
    }

    private @Nullable String line() throws IOException, InvalidLineException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        boolean tooLong = false;
        int next = in.read();
        ended = next < 0;
        for (; next >= 0 && next != '\n'; next = in.read()) {
            tooLong |= line.size() == MAX_BYTES;
            if (!tooLong) {
                line.write(next);
            }
        }
        if (ended) {
            return null;
        }
        String text = tooLong ? "" : decode(line.toByteArray());
        if (tooLong || text.length() > MAX_CHARS) {
            throw new InvalidLineException(place(), "longer than " + MAX_CHARS + " characters");
        }
        return text;
    }

    private String decode(byte[] line) throws InvalidLineException {
        try {
            return UTF_8.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(line))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new InvalidLineException(place(), "not UTF-8");
        }
    }
}
