// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The one place that prints JSON, over Jackson's generator: the members of one object, in the order they are given.
 *
 * <p>Nesting is written as nesting, so that what comes out is always balanced. For one thread, inside the call that
 * hands it out.
 */
public final class JsonWriter {
    private static final JsonFactory FACTORY = new JsonFactory();

    private final JsonGenerator out;

    private JsonWriter(JsonGenerator out) {
        this.out = out;
    }

    /** Prints an object whose members the argument writes. */
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

    /** A member that is a text. */
    public JsonWriter text(String name, String value) {
        return write(() -> out.writeStringField(name, value));
    }

    /** A member that is a text of base64url. */
    public JsonWriter bytes(String name, Bytes value) {
        return text(name, value.base64Url());
    }

    /** A member that is an integer. */
    public JsonWriter number(String name, long value) {
        return write(() -> out.writeNumberField(name, value));
    }

    /** A member that is a number with a fraction; one that is not finite is left out, for JSON has no word for it. */
    public JsonWriter decimal(String name, double value) {
        return Double.isFinite(value) ? write(() -> out.writeNumberField(name, value)) : this;
    }

    /** A member that is true or false. */
    public JsonWriter bool(String name, boolean value) {
        return write(() -> out.writeBooleanField(name, value));
    }

    /** A member that is an object. */
    public JsonWriter object(String name, Consumer<JsonWriter> members) {
        return write(() -> {
            out.writeObjectFieldStart(name);
            members.accept(this);
            out.writeEndObject();
        });
    }

    /** A member that is an array of texts. */
    public JsonWriter texts(String name, List<String> values) {
        return write(() -> {
            out.writeArrayFieldStart(name);
            for (String value : values) {
                out.writeString(value);
            }
            out.writeEndArray();
        });
    }

    /** A member that is an array with one object per item. */
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

    private JsonWriter write(Printing printing) {
        try {
            printing.run();
        } catch (IOException e) {
            throw impossible(e);
        }
        return this;
    }

    private static UncheckedIOException impossible(IOException e) {
        return new UncheckedIOException("printing into memory failed", e);
    }

    @FunctionalInterface
    private interface Printing {
        void run() throws IOException;
    }
}
