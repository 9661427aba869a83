// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object as received, with its place in the document for complaints. Immutable.
 *
 * <p>A member that is absent and one that is null are the same to the methods called {@code optional}.
 */
public final class JsonObject {
    /** The longest text that is read, in characters. */
    public static final int MAX_CHARS = 65_536;

    private final String part;
    private final Map<String, Object> members;

    JsonObject(String part, Map<String, Object> members) {
        this.part = part;
        this.members = members;
    }

    /**
     * Reads a text that is one JSON object, without a member twice.
     *
     * @param part what the text is, for complaints; empty for a document whose members speak for themselves
     */
    public static JsonObject parse(String json, String part) throws MalformedException {
        return JsonReader.read(json, part);
    }

    /** Returns whether a text is one JSON value of any kind, nested no deeper than {@link #parse} allows. */
    public static boolean isJson(String text) {
        return JsonReader.isJson(text);
    }

    /**
     * Returns the first text under a path of names, from a document that may be malformed after it, or null if there is none
     * or reading does not get that far.
     */
    public static @Nullable String find(String json, String... path) {
        return JsonReader.find(json, path);
    }

    /** The names of the members. */
    public Set<String> names() {
        return Collections.unmodifiableSet(members.keySet());
    }

    /** The text under a name. */
    public String text(String name) throws MalformedException {
        return required(name, optionalText(name));
    }

    /** The text under a name, if there is one. */
    public @Nullable String optionalText(String name) throws MalformedException {
        return optional(name, String.class, "a text");
    }

    /** The integer of at most 64 bits under a name, if there is one. */
    public @Nullable Long optionalInteger(String name) throws MalformedException {
        return optional(name, Long.class, "an integer");
    }

    /** The truth value under a name, if there is one. */
    public @Nullable Boolean optionalBool(String name) throws MalformedException {
        return optional(name, Boolean.class, "true or false");
    }

    /** The object under a name. */
    public JsonObject object(String name) throws MalformedException {
        return required(name, optionalObject(name));
    }

    /** The object under a name, if there is one. */
    public @Nullable JsonObject optionalObject(String name) throws MalformedException {
        @SuppressWarnings("unchecked") // the reader makes maps with these keys and values only
        Map<String, Object> object = optional(name, Map.class, "an object");
        return object == null ? null : new JsonObject(path(name), object);
    }

    /** The texts of the array under a name, or none when there is no such array. */
    public List<String> texts(String name) throws MalformedException {
        List<?> array = optional(name, List.class, "an array");
        if (array == null) {
            return List.of();
        }
        for (Object element : array) {
            if (!(element instanceof String)) {
                throw malformed(name, "holds something other than texts");
            }
        }
        return array.stream().map(String.class::cast).toList();
    }

    /** The objects of the array under a name, or none when there is no such array. */
    public List<JsonObject> objects(String name) throws MalformedException {
        List<?> array = optional(name, List.class, "an array");
        if (array == null) {
            return List.of();
        }
        List<JsonObject> objects = new ArrayList<>(array.size());
        for (Object element : array) {
            if (!(element instanceof Map)) {
                throw malformed(name, "holds something other than objects");
            }
            @SuppressWarnings("unchecked") // the reader makes maps with these keys and values only
            Map<String, Object> members = (Map<String, Object>) element;
            objects.add(new JsonObject(path(name), members));
        }
        return objects;
    }

    /** The bytes of the base64url text under a name. */
    public Bytes bytes(String name, int maxBytes) throws MalformedException {
        return required(name, optionalBytes(name, maxBytes));
    }

    /** The bytes of the base64url text under a name, if there is one. */
    public @Nullable Bytes optionalBytes(String name, int maxBytes) throws MalformedException {
        String text = optionalText(name);
        return text == null ? null : Base64Url.decode(text, maxBytes, path(name));
    }

    /** A complaint about a member. */
    public MalformedException malformed(String name, String reason) {
        return new MalformedException(path(name), reason);
    }

    private <T> @Nullable T optional(String name, Class<T> kind, String kindInWords) throws MalformedException {
        Object value = members.get(name);
        if (value == null || value == JsonReader.NULL) {
            return null;
        }
        if (!kind.isInstance(value)) {
            throw malformed(name, "not " + kindInWords);
        }
        return kind.cast(value);
    }

    private <T> T required(String name, @Nullable T value) throws MalformedException {
        if (value == null) {
            throw malformed(name, "missing");
        }
        return value;
    }

    private String path(String name) {
        return part.isEmpty() ? name : part + '.' + name;
    }
}
