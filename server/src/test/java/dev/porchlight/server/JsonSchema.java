// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.testkit.wire.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Validates JSON against the part of JSON Schema that the service's description uses. An unknown keyword is an error too,
 * so that nothing in the description goes unchecked.
 */
final class JsonSchema {
    private static final Set<String> WORDS_ONLY = Set.of("description");

    private final JsonObject root;
    private final List<String> faults = new ArrayList<>();

    private JsonSchema(JsonObject root) {
        this.root = root;
    }

    /** The errors of a value, each with its location. References are resolved in {@code root}. */
    static List<String> faults(JsonObject root, JsonObject schema, Object value) {
        JsonSchema judge = new JsonSchema(root);
        judge.check("$", schema, value);
        return judge.faults;
    }

    /** Resolves a reference such as {@code #/components/schemas/Problem}. Returns an object without a reference unchanged. */
    static JsonObject follow(JsonObject root, JsonObject object) {
        if (!object.has("$ref")) {
            return object;
        }
        JsonObject found = root;
        for (String name : object.string("$ref").substring(2).split("/", -1)) {
            found = found.object(name);
        }
        return follow(root, found);
    }

    private void check(String at, JsonObject reference, Object value) {
        JsonObject schema = follow(root, reference);
        for (String keyword : schema.names()) {
            Object rule = schema.get(keyword);
            switch (keyword) {
                case "type" -> require(isOneOf(rule, value), at, "is not " + rule);
                case "const" -> require(Objects.equals(rule, value), at, "is not " + rule);
                case "enum" -> require(((List<?>) rule).contains(value), at, "is not one of " + rule);
                case "pattern" ->
                    require(
                            !(value instanceof String text) || text.matches((String) rule),
                            at,
                            "does not match " + rule);
                case "minLength" ->
                    require(!(value instanceof String text) || text.length() >= (Long) rule, at, "is too short");
                case "maxLength" ->
                    require(!(value instanceof String text) || text.length() <= (Long) rule, at, "is too long");
                case "required" -> required(at, (List<?>) rule, value);
                case "properties" -> properties(at, (JsonObject) rule, value);
                case "additionalProperties" -> additional(at, schema, rule, value);
                case "items" -> items(at, (JsonObject) rule, value);
                default ->
                    require(WORDS_ONLY.contains(keyword), at, "has a schema with an unknown keyword: " + keyword);
            }
        }
    }

    private void required(String at, List<?> names, Object value) {
        if (value instanceof JsonObject object) {
            names.forEach(name -> require(object.names().contains(name), at, "lacks " + name));
        }
    }

    private void properties(String at, JsonObject properties, Object value) {
        if (value instanceof JsonObject object) {
            for (String name : properties.names()) {
                if (object.names().contains(name)) {
                    check(at + '.' + name, properties.object(name), object.get(name));
                }
            }
        }
    }

    private void additional(String at, JsonObject schema, Object rule, Object value) {
        if (value instanceof JsonObject object) {
            Set<String> known =
                    schema.has("properties") ? schema.object("properties").names() : Set.of();
            for (String name : object.names()) {
                if (!known.contains(name) && rule instanceof JsonObject other) {
                    check(at + '.' + name, other, object.get(name));
                } else {
                    require(known.contains(name) || !Boolean.FALSE.equals(rule), at, "has an unknown member: " + name);
                }
            }
        }
    }

    private void items(String at, JsonObject items, Object value) {
        if (value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                check(at + '[' + i + ']', items, list.get(i));
            }
        }
    }

    private static boolean isOneOf(Object types, Object value) {
        return types instanceof List<?> several ? several.stream().anyMatch(type -> is(type, value)) : is(types, value);
    }

    private static boolean is(Object type, Object value) {
        return switch ((String) type) {
            case "object" -> value instanceof JsonObject;
            case "array" -> value instanceof List;
            case "string" -> value instanceof String;
            case "integer" -> value instanceof Long;
            case "number" -> value instanceof Long || value instanceof Double;
            case "boolean" -> value instanceof Boolean;
            case "null" -> value == null;
            default -> false;
        };
    }

    private void require(boolean good, String at, String fault) {
        if (!good) {
            faults.add(at + ' ' + fault);
        }
    }
}
