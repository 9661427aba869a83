// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the members of one JSON object, in the given order, with Jackson's generator.
 *
 * <p>Nested objects are written in callbacks, so the output is always balanced. Not thread-safe; valid only during the
 * callback that receives it.
 */
public final class JsonWriter {
    private static final JsonFactory FACTORY = new JsonFactory();

    private final JsonGenerator out;

    private JsonWriter(JsonGenerator out) {
        this.out = out;
    }

    /** Returns an object whose members the callback writes. */
    public static String object(Consumer<JsonWriter> members) {
        var text = new StringWriter();
        try (JsonGenerator out = FACTORY.createGenerator(text)) {
            out.writeStartObject();
            members.accept(new JsonWriter(out));
            out.writeEndObject();
        } catch (IOException e) {
            throw impossible(e);
        }
        return text.toString();
    }

    /** Writes a string member. */
    public JsonWriter text(String name, String value) {
        return write(() -> out.writeStringField(name, value));
    }

    /** Writes a string member, or nothing for null. */
    public JsonWriter optionalText(String name, @Nullable String value) {
        return value == null ? this : text(name, value);
    }

    /** Writes bytes as a base64url string member. */
    public JsonWriter bytes(String name, Bytes value) {
        return text(name, value.base64Url());
    }

    /** Writes an integer member. */
    public JsonWriter number(String name, long value) {
        return write(() -> out.writeNumberField(name, value));
    }

    /** Writes an integer member, or nothing for null. */
    public JsonWriter optionalNumber(String name, @Nullable Long value) {
        return value == null ? this : number(name, value);
    }

    /** Writes a time in milliseconds since 1970, or nothing for null. */
    public JsonWriter optionalTime(String name, @Nullable Instant value) {
        return value == null ? this : number(name, value.toEpochMilli());
    }

    /** Writes an array of strings, or nothing for null. */
    public JsonWriter optionalTexts(String name, @Nullable List<String> values) {
        return values == null ? this : texts(name, values);
    }

    /** Writes a boolean member, or nothing for null. */
    public JsonWriter optionalBool(String name, @Nullable Boolean value) {
        return value == null ? this : bool(name, value);
    }

    /** Writes a floating-point member. A value that is not finite is omitted, because JSON cannot represent it. */
    public JsonWriter decimal(String name, double value) {
        return Double.isFinite(value) ? write(() -> out.writeNumberField(name, value)) : this;
    }

    /** Writes a boolean member. */
    public JsonWriter bool(String name, boolean value) {
        return write(() -> out.writeBooleanField(name, value));
    }

    /** Writes an object member. */
    public JsonWriter object(String name, Consumer<JsonWriter> members) {
        return write(() -> {
            out.writeObjectFieldStart(name);
            members.accept(this);
            out.writeEndObject();
        });
    }

    /** Writes an object member that is given as JSON, or nothing for null. */
    public JsonWriter optionalJson(String name, @Nullable String object) {
        return object == null
                ? this
                : write(() -> {
                    out.writeFieldName(name);
                    JsonTree.write(out, JsonTree.parse(object));
                });
    }

    /** Writes an array of strings. */
    public JsonWriter texts(String name, List<String> values) {
        return write(() -> {
            out.writeArrayFieldStart(name);
            for (String value : values) {
                out.writeString(value);
            }
            out.writeEndArray();
        });
    }

    /** Writes an array with one object per item. */
    public <T> JsonWriter objects(String name, List<T> items, BiConsumer<JsonWriter, T> members) {
        return write(() -> {
            out.writeArrayFieldStart(name);
            for (T item : items) {
                out.writeStartObject();
                members.accept(this, item);
                out.writeEndObject();
            }
            out.writeEndArray();
        });
    }

    private JsonWriter write(Output output) {
        try {
            output.run();
        } catch (IOException e) {
            throw impossible(e);
        }
        return this;
    }

    private static UncheckedIOException impossible(IOException e) {
        return new UncheckedIOException("writing to memory failed", e);
    }

    @FunctionalInterface
    private interface Output {
        void run() throws IOException;
    }
}
