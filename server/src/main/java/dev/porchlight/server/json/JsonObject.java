// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** A JSON object being written, member by member. Not thread-safe. */
public final class JsonObject {
    private static final JsonFactory JSON = new JsonFactory();

    private final ByteArrayOutputStream out = new ByteArrayOutputStream(256);
    private final JsonGenerator json;

    public JsonObject() {
        try {
            json = JSON.createGenerator(out);
            json.writeStartObject();
        } catch (IOException e) {
            throw inMemory(e);
        }
    }

    /** Writes a text member; null writes no member at all. */
    public JsonObject put(String name, @Nullable String value) {
        if (value == null) {
            return this;
        }
        try {
            json.writeStringField(name, value);
        } catch (IOException e) {
            throw inMemory(e);
        }
        return this;
    }

    public JsonObject put(String name, long value) {
        try {
            json.writeNumberField(name, value);
        } catch (IOException e) {
            throw inMemory(e);
        }
        return this;
    }

    /** Ends the object; nothing can be put any more. */
    public byte[] bytes() {
        try {
            json.writeEndObject();
            json.close();
        } catch (IOException e) {
            throw inMemory(e);
        }
        return out.toByteArray();
    }

    private static UncheckedIOException inMemory(IOException e) {
        return new UncheckedIOException("writing to memory failed", e);
    }
}
