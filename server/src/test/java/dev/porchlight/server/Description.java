// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.wire.JsonObject;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The service's OpenAPI description, with a record of the described responses that were seen. */
final class Description {
    private final JsonObject root;
    private final Map<String, JsonObject> operations = new TreeMap<>();
    private final Map<String, Set<Integer>> seen = new TreeMap<>();

    Description(String json) {
        root = JsonObject.parse(json);
        JsonObject paths = root.object("paths");
        for (String path : paths.names()) {
            JsonObject item = paths.object(path);
            item.names()
                    .forEach(method ->
                            operations.put(method.toUpperCase(Locale.ROOT) + ' ' + path, item.object(method)));
        }
    }

    /** Every operation as method and path, such as {@code GET /auth/session}. */
    Set<String> operations() {
        return operations.keySet();
    }

    boolean takesBody(String operation) {
        return operations.get(operation).has("requestBody");
    }

    /** The content type of an operation's request body, JSON if it takes none. */
    String bodyType(String operation) {
        return takesBody(operation)
                ? operations
                        .get(operation)
                        .object("requestBody")
                        .object("content")
                        .names()
                        .iterator()
                        .next()
                : "application/json";
    }

    /** The security schemes of an operation; an empty one stands for no credential. */
    Set<String> security(String operation) {
        Set<String> schemes = new TreeSet<>();
        operations.get(operation).objects("security").forEach(scheme -> schemes.add(String.join("+", scheme.names())));
        return schemes;
    }

    /** The roles of operators who may use an operation. */
    List<String> roles(String operation) {
        Object roles = operations.get(operation).get("x-roles");
        return roles instanceof List<?> codes
                ? codes.stream().map(String::valueOf).toList()
                : List.of();
    }

    boolean isForAnyone(String operation) {
        return operations.get(operation).objects("security").isEmpty();
    }

    Set<Integer> statuses(String operation) {
        Set<Integer> statuses = new TreeSet<>();
        operations.get(operation).object("responses").names().forEach(status -> statuses.add(Integer.valueOf(status)));
        return statuses;
    }

    Set<Integer> seen(String operation) {
        return seen.getOrDefault(operation, Set.of());
    }

    /** Checks that the description contains the response's status, content type and schema. */
    HttpResponse<String> check(String operation, HttpResponse<String> result) {
        check(operation, new TestResponse(result.statusCode(), result.headers(), result.body()));
        return result;
    }

    /** Checks that the description contains the response's status, content type and schema. */
    TestResponse check(String operation, TestResponse result) {
        String what = operation + " -> " + result.status() + ' ' + result.body();
        assertThat(operations).as("described").containsKey(operation);
        assertThat(statuses(operation)).as(what).contains(result.status());
        seen.computeIfAbsent(operation, unused -> new TreeSet<>()).add(result.status());

        JsonObject responses = operations.get(operation).object("responses");
        JsonObject response = JsonSchema.follow(root, responses.object(Integer.toString(result.status())));
        String type = result.headers().firstValue("Content-Type").orElse(null);
        if (!response.has("content")) {
            assertThat(result.body()).as(what).isEmpty();
            assertThat(type).as(what).isNull();
            return result;
        }
        assertThat(response.object("content").names()).as(what).contains(type);
        if (type.contains("json")) {
            JsonObject schema = response.object("content").object(type).object("schema");
            assertThat(JsonSchema.faults(root, schema, value(result.body())))
                    .as(what)
                    .isEmpty();
        }
        return result;
    }

    /** Parses any JSON value; the parser itself accepts only objects. */
    private static Object value(String json) {
        return JsonObject.parse("{\"value\":" + json + '}').get("value");
    }
}
