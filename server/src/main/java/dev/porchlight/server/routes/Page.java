// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list for operators.
 *
 * @param next continues the list; null at its end
 */
public record Page<T>(List<T> entries, @Nullable String next) {
    private static final int DEFAULT_LIMIT = 50;
    private static final int MAX_LIMIT = 200;
    private static final Pattern LIMIT = Pattern.compile("\\d{1,4}");

    /** A page of entries of which one more than the limit was requested. */
    public static <T> Page<T> of(List<T> found, int limit, Function<T, Object> cursor) {
        return found.size() <= limit
                ? new Page<>(found, null)
                : new Page<>(
                        found.subList(0, limit),
                        cursor.apply(found.get(limit - 1)).toString());
    }

    public void write(JsonWriter json, String name, BiConsumer<JsonWriter, T> writer) {
        json.objects(name, entries, writer).optionalText("next", next);
    }

    Response response(String name, BiConsumer<JsonWriter, T> writer) {
        return Response.json(200, json -> write(json, name, writer));
    }

    /** A query parameter without control characters, which not every database accepts. */
    static @Nullable String parameter(Exchange exchange, String name) throws ProblemException {
        String value = exchange.queryParameter(name);
        if (value != null && value.chars().anyMatch(Character::isISOControl)) {
            throw new ProblemException(Problem.malformed(name + " must not contain control characters."));
        }
        return value;
    }

    static int limit(Exchange exchange) throws ProblemException {
        return limit(exchange, DEFAULT_LIMIT, MAX_LIMIT);
    }

    static int limit(Exchange exchange, int absent, int max) throws ProblemException {
        String text = exchange.queryParameter("limit");
        if (text == null) {
            return absent;
        }
        int limit = LIMIT.matcher(text).matches() ? Integer.parseInt(text) : 0;
        if (limit < 1 || limit > max) {
            throw new ProblemException(Problem.malformed("limit must be 1 to " + max + '.'));
        }
        return limit;
    }
}
