// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * Reads and writes JSON as maps, lists, strings, integers and booleans (other numbers are kept as they are), for documents of the program itself that it changes.
 * {@link JsonObject} reads what others send.
 */
public final class JsonTree {
    private static final JsonFactory FACTORY = new JsonFactory();

    private JsonTree() {}

    /**
     * Parses an object of any length.
     *
     * @throws IllegalArgumentException if it is invalid
     */
    public static Map<String, Object> parse(String json) {
        try {
            return JsonReader.members(json, "JSON");
        } catch (MalformedException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** The member of an object that is itself an object. */
    @SuppressWarnings("unchecked") // names are strings
    public static Map<String, Object> object(Map<String, Object> parent, String name) {
        if (parent.get(name) instanceof Map<?, ?> object) {
            return (Map<String, Object>) object;
        }
        throw new IllegalArgumentException(name + " is not an object");
    }

    public static String write(Map<String, Object> object) {
        var text = new StringWriter();
        try (JsonGenerator out = FACTORY.createGenerator(text)) {
            write(out, object);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    static void write(JsonGenerator out, Object value) throws IOException {
        if (value instanceof Map<?, ?> object) {
            out.writeStartObject();
            for (Map.Entry<?, ?> member : object.entrySet()) {
                out.writeFieldName(String.valueOf(member.getKey()));
                write(out, member.getValue());
            }
            out.writeEndObject();
        } else if (value instanceof List<?> array) {
            out.writeStartArray();
            for (Object element : array) {
                write(out, element);
            }
            out.writeEndArray();
        } else if (value == JsonReader.NULL) {
            out.writeNull();
        } else if (value instanceof JsonReader.OtherNumber number) {
            out.writeNumber(number.text());
        } else {
            out.writePOJO(value);
        }
    }
}
