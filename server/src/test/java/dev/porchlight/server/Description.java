// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.wire.JsonObject;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The service's description of itself, and which of the answers it promises have been seen. */
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

    /** The security schemes of an operation; an empty one stands for no credential at all. */
    Set<String> security(String operation) {
        Set<String> schemes = new TreeSet<>();
        operations.get(operation).objects("security").forEach(scheme -> schemes.add(String.join("+", scheme.names())));
        return schemes;
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

    /** The answer, if the description has it: its status, its content type and what its body looks like. */
    HttpResponse<String> check(String operation, HttpResponse<String> answer) {
        String what = operation + " -> " + answer.statusCode() + ' ' + answer.body();
        assertThat(operations).as("described").containsKey(operation);
        assertThat(statuses(operation)).as(what).contains(answer.statusCode());
        seen.computeIfAbsent(operation, unused -> new TreeSet<>()).add(answer.statusCode());

        JsonObject responses = operations.get(operation).object("responses");
        JsonObject response = JsonSchema.follow(root, responses.object(Integer.toString(answer.statusCode())));
        String type = answer.headers().firstValue("Content-Type").orElse(null);
        if (!response.has("content")) {
            assertThat(answer.body()).as(what).isEmpty();
            assertThat(type).as(what).isNull();
            return answer;
        }
        assertThat(response.object("content").names()).as(what).contains(type);
        if (type.contains("json")) {
            JsonObject schema = response.object("content").object(type).object("schema");
            assertThat(JsonSchema.faults(root, schema, JsonObject.parse(answer.body())))
                    .as(what)
                    .isEmpty();
        }
        return answer;
    }
}
