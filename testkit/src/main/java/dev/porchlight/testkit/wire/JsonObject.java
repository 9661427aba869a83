// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.wire;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A mutable JSON object with ordered members.
 *
 * <p>Values are {@code String}, {@code Long}, {@code Double}, {@code Boolean}, {@code JsonObject}, {@code List} and
 * {@code null}.
 */
public final class JsonObject {
    private final Map<String, @Nullable Object> members = new LinkedHashMap<>();

    /** An object without members. */
    public JsonObject() {}

    public static JsonObject parse(String text) {
        if (new JsonReader(text).document() instanceof JsonObject object) {
            return object;
        }
        throw new JsonException("not an object");
    }

    public JsonObject put(String name, @Nullable Object value) {
        members.put(name, value);
        return this;
    }

    /** Sets the member and moves it before all others. */
    public JsonObject putFirst(String name, @Nullable Object value) {
        Map<String, @Nullable Object> rest = new LinkedHashMap<>(members);
        members.clear();
        members.put(name, value);
        rest.remove(name);
        members.putAll(rest);
        return this;
    }

    public JsonObject remove(String name) {
        members.remove(name);
        return this;
    }

    public boolean has(String name) {
        return members.get(name) != null;
    }

    public Set<String> names() {
        return members.keySet();
    }

    public @Nullable Object get(String name) {
        return members.get(name);
    }

    public String string(String name) {
        return as(String.class, name);
    }

    public String string(String name, String otherwise) {
        return has(name) ? string(name) : otherwise;
    }

    public int integer(String name) {
        return Math.toIntExact(as(Long.class, name));
    }

    public boolean flag(String name) {
        return has(name) && as(Boolean.class, name);
    }

    /** Returns the octets of a base64url member. */
    public byte[] octets(String name) {
        return Octets.fromBase64Url(string(name));
    }

    public JsonObject object(String name) {
        return as(JsonObject.class, name);
    }

    /** Returns the objects in an array; empty if the member is absent. */
    public List<JsonObject> objects(String name) {
        List<JsonObject> objects = new ArrayList<>();
        if (has(name)) {
            for (Object item : as(List.class, name)) {
                objects.add((JsonObject) item);
            }
        }
        return objects;
    }

    private <T> T as(Class<T> type, String name) {
        Object value = members.get(name);
        if (!type.isInstance(value)) {
            throw new JsonException("member \"" + name + "\" is " + (value == null ? "absent" : "of the wrong type"));
        }
        return type.cast(value);
    }

    @Override
    public String toString() {
        StringBuilder out = new StringBuilder();
        write(this, out);
        return out.toString();
    }

    private static void write(@Nullable Object value, StringBuilder out) {
        if (value instanceof JsonObject object) {
            String separator = "{";
            for (var member : object.members.entrySet()) {
                out.append(separator).append(quote(member.getKey())).append(':');
                write(member.getValue(), out);
                separator = ",";
            }
            out.append(object.members.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> list) {
            String separator = "[";
            for (Object item : list) {
                out.append(separator);
                write(item, out);
                separator = ",";
            }
            out.append(list.isEmpty() ? "[]" : "]");
        } else if (value instanceof String text) {
            out.append(quote(text));
        } else {
            out.append(value);
        }
    }

    /**
     * Returns a JSON string with exactly the escapes of client data: quote, backslash, control characters.
     */
    public static String quote(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }
}
