// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A received JSON object that knows its path in the document, for error messages. Immutable.
 *
 * <p>The {@code optional} methods return null for an absent member and for JSON null.
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
     * Parses a JSON object and refuses duplicate members.
     *
     * @param part the name of the document in error messages; may be empty
     */
    public static JsonObject parse(String json, String part) throws MalformedException {
        return parse(json, part, MAX_CHARS);
    }

    /** Parses a JSON object of at most this many characters, and refuses duplicate members. */
    public static JsonObject parse(String json, String part, int maxChars) throws MalformedException {
        return JsonReader.read(json, part, maxChars);
    }

    /** Returns an object of strings, {@code Long}s, booleans and lists of these. */
    public static JsonObject of(Map<String, Object> members) {
        return new JsonObject("", Map.copyOf(members));
    }

    /** Returns whether the text is a single JSON value, nested no deeper than {@link #parse} allows. */
    public static boolean isJson(String text) {
        return JsonReader.isJson(text);
    }

    /**
     * Returns the first string at a path. The document may be malformed after it. Returns null if the string is absent
     * or cannot be reached.
     */
    public static @Nullable String find(String json, String... path) {
        return JsonReader.find(json, path);
    }

    public Set<String> names() {
        return Collections.unmodifiableSet(members.keySet());
    }

    /** Returns whether a member is null. */
    public boolean isNull(String name) {
        return members.get(name) == JsonReader.NULL;
    }

    /** Returns whether a member is a string. */
    public boolean isText(String name) {
        return members.get(name) instanceof String;
    }

    /** Returns whether a member is an object. */
    public boolean isObject(String name) {
        return members.get(name) instanceof Map;
    }

    /**
     * Returns a member of any kind, or null if it is absent: a {@code String}, {@code Long}, {@code Boolean}, {@code List}, or another type
     * for objects, null and other numbers.
     */
    public @Nullable Object value(String name) {
        return members.get(name);
    }

    /** Returns a string member. */
    public String text(String name) throws MalformedException {
        return required(name, optionalText(name));
    }

    /** Returns a string member, or null if it is absent. */
    public @Nullable String optionalText(String name) throws MalformedException {
        return optional(name, String.class, "a string");
    }

    /** Returns a 64-bit integer member, or null if it is absent. */
    public @Nullable Long optionalInteger(String name) throws MalformedException {
        return optional(name, Long.class, "an integer");
    }

    /** Returns an integer member. */
    public long integer(String name) throws MalformedException {
        return required(name, optionalInteger(name));
    }

    /** Returns a boolean member, or null if it is absent. */
    public @Nullable Boolean optionalBool(String name) throws MalformedException {
        return optional(name, Boolean.class, "true or false");
    }

    /** Returns an object member. */
    public JsonObject object(String name) throws MalformedException {
        return required(name, optionalObject(name));
    }

    /** Returns an object member, or null if it is absent. */
    public @Nullable JsonObject optionalObject(String name) throws MalformedException {
        @SuppressWarnings("unchecked") // the reader creates maps with these keys and values only
        Map<String, Object> object = optional(name, Map.class, "an object");
        return object == null ? null : new JsonObject(path(name), object);
    }

    /** Returns the elements of an array of strings, or an empty list if it is absent. */
    public List<String> texts(String name) throws MalformedException {
        return elements(name, optional(name, List.class, "an array"), String.class, "a string");
    }

    /** Returns the elements of an array of 64-bit integers. */
    public List<Long> integers(String name) throws MalformedException {
        return elements(name, required(name, optional(name, List.class, "an array")), Long.class, "an integer");
    }

    /** Returns the elements of an array of objects, or an empty list if it is absent. */
    public List<JsonObject> objects(String name) throws MalformedException {
        @SuppressWarnings("unchecked") // the reader creates maps with these keys and values only
        List<Map<String, Object>> objects = (List<Map<String, Object>>)
                (List<?>) elements(name, optional(name, List.class, "an array"), Map.class, "an object");
        return objects.stream()
                .map(members -> new JsonObject(path(name), members))
                .toList();
    }

    /** Returns the decoded bytes of a base64url member. */
    public Bytes bytes(String name, int maxBytes) throws MalformedException {
        return required(name, optionalBytes(name, maxBytes));
    }

    /** Returns the decoded bytes of a base64url member, or null if it is absent. */
    public @Nullable Bytes optionalBytes(String name, int maxBytes) throws MalformedException {
        String text = optionalText(name);
        return text == null ? null : Base64Url.decode(text, maxBytes, path(name));
    }

    /** Returns the object as JSON. */
    public String toJson() {
        return JsonTree.write(members);
    }

    /** Creates an exception about a member. */
    public MalformedException malformed(String name, String reason) {
        return new MalformedException(path(name), reason);
    }

    private <T> @Nullable T optional(String name, Class<T> kind, String expected) throws MalformedException {
        Object value = members.get(name);
        if (value == null || value == JsonReader.NULL) {
            return null;
        }
        if (!kind.isInstance(value)) {
            throw malformed(name, "not " + expected);
        }
        return kind.cast(value);
    }

    private <T> List<T> elements(String name, @Nullable List<?> array, Class<T> kind, String expected)
            throws MalformedException {
        List<T> elements = new ArrayList<>();
        for (Object element : array == null ? List.of() : array) {
            if (!kind.isInstance(element)) {
                throw malformed(name, "contains an element that is not " + expected);
            }
            elements.add(kind.cast(element));
        }
        return Collections.unmodifiableList(elements);
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
