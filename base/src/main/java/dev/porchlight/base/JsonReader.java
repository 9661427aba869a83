// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parses JSON with Jackson's streaming parser.
 *
 * <p>Field names are not interned or cached between documents, because clients could fill such a table.
 */
final class JsonReader {
    /** Represents JSON null inside a {@link JsonObject}. */
    static final Object NULL = new Object();

    /** A number that is not a 64-bit integer. No member has such a value. */
    record OtherNumber(String text) {}

    static final int MAX_DEPTH = 16;

    private static final JsonFactory FACTORY = new JsonFactoryBuilder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
            .build();

    private JsonReader() {}

    static JsonObject read(String json, String part, int maxChars) throws MalformedException {
        String document = part.isEmpty() ? "JSON" : part;
        if (json.length() > maxChars) {
            throw new MalformedException(document, "longer than " + maxChars + " characters");
        }
        return new JsonObject(part, members(json, document));
    }

    /** Reads an object of any length. */
    static Map<String, Object> members(String json, String document) throws MalformedException {
        try (JsonParser parser = FACTORY.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new MalformedException(document, "not a JSON object");
            }
            Map<String, Object> members = object(parser, document);
            if (parser.nextToken() != null) {
                throw new MalformedException(document, "unexpected content after the JSON object");
            }
            return members;
        } catch (IOException e) {
            // Jackson's message may quote the input, so it is dropped.
            throw new MalformedException(document, "not JSON");
        }
    }

    static boolean isJson(String text) {
        try (JsonParser parser = FACTORY.createParser(text)) {
            boolean found = parser.nextToken() != null;
            parser.skipChildren();
            return found && parser.nextToken() == null;
        } catch (IOException e) {
            return false;
        }
    }

    /** See {@link JsonObject#find}. */
    static @Nullable String find(String json, String... path) {
        if (json.length() > JsonObject.MAX_CHARS) {
            return null;
        }
        try (JsonParser parser = FACTORY.createParser(json)) {
            return parser.nextToken() == JsonToken.START_OBJECT ? find(parser, path) : null;
        } catch (IOException e) {
            return null;
        }
    }

    private static @Nullable String find(JsonParser parser, String... path) throws IOException {
        int depth = 0;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean wanted = parser.currentName().equals(path[depth]);
            boolean last = depth == path.length - 1;
            JsonToken value = parser.nextToken();
            if (wanted && last && value == JsonToken.VALUE_STRING) {
                return parser.getText();
            }
            if (wanted && !last && value == JsonToken.START_OBJECT) {
                depth++;
            } else {
                parser.skipChildren();
            }
        }
        return null;
    }

    private static Map<String, Object> object(JsonParser parser, String document)
            throws IOException, MalformedException {
        Map<String, Object> members = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            if (members.putIfAbsent(name, value(parser, document)) != null) {
                throw new MalformedException(document, "duplicate member " + MalformedException.excerpt(name));
            }
        }
        return members;
    }

    private static List<Object> array(JsonParser parser, String document) throws IOException, MalformedException {
        List<Object> elements = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            elements.add(value(parser, document));
        }
        return elements;
    }

    private static Object value(JsonParser parser, String document) throws IOException, MalformedException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser, document);
            case START_ARRAY -> array(parser, document);
            case VALUE_STRING -> parser.getText();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> NULL;
            case VALUE_NUMBER_INT ->
                parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                        ? new OtherNumber(parser.getText())
                        : (Object) parser.getLongValue();
            default -> new OtherNumber(parser.getText());
        };
    }
}
