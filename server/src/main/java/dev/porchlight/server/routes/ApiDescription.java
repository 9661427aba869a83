// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.JsonTree;
import dev.porchlight.server.auth.Role;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Router;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The API description. {@code openapi.json} has what only a person can write; the security of each operation and its shared
 * problem responses come from the {@link Access} of its route. Operations without a route are left out. Thread-safe.
 */
final class ApiDescription {
    private final List<Router.Builder> routes;
    private volatile byte @Nullable [] json;

    /** Describes routes, which are read with the first request. */
    ApiDescription(List<Router.Builder> routes) {
        this.routes = routes;
    }

    byte[] json() {
        byte[] complete = json;
        if (complete == null) {
            Map<String, Access> access = new HashMap<>();
            routes.forEach(router -> access.putAll(router.access()));
            complete = JsonTree.write(complete(JsonTree.parse(file()), access)).getBytes(StandardCharsets.UTF_8);
            json = complete; // two threads may both do this once
        }
        return complete;
    }

    private static Map<String, Object> complete(Map<String, Object> document, Map<String, Access> mounted) {
        Map<String, Object> paths = JsonTree.object(document, "paths");
        for (String path : List.copyOf(paths.keySet())) {
            Map<String, Object> operations = JsonTree.object(paths, path);
            for (String method : List.copyOf(operations.keySet())) {
                Access access = mounted.get(method.toUpperCase(Locale.ROOT) + ' ' + path);
                if (access == null) {
                    operations.remove(method);
                } else {
                    complete(JsonTree.object(operations, method), access);
                }
            }
            if (operations.isEmpty()) {
                paths.remove(path);
            }
        }
        return document;
    }

    private static void complete(Map<String, Object> operation, Access access) {
        operation.put("security", security(access.credential()));
        if (!access.roles().isEmpty()) {
            operation.put(
                    "x-roles", access.roles().stream().sorted().map(Role::code).toList());
        }
        Map<String, Object> responses = new TreeMap<>(JsonTree.object(operation, "responses"));
        for (int status : access.refusals(operation.containsKey("requestBody"))) {
            responses.putIfAbsent(Integer.toString(status), Map.of("$ref", "#/components/responses/Problem" + status));
        }
        operation.put("responses", responses);
    }

    /** The alternatives of an operation; an empty one stands for no credential. */
    private static List<Map<String, List<String>>> security(Access.Credential credential) {
        return switch (credential) {
            case NONE -> List.of();
            case USER -> List.of(scheme("bearer"), scheme("session"));
            case USER_OR_ENROLLMENT -> List.of(scheme("bearer"), scheme("session"), scheme("enrollment"));
            case CLIENT -> List.of(scheme("client"), Map.of()); // public clients name themselves in the body
            case CLIENT_TOKEN -> List.of(scheme("openid"));
            case OPERATOR ->
                List.of(scheme("admin"), scheme("session"), Map.of()); // none on localhost without ADMIN_TOKEN
        };
    }

    private static Map<String, List<String>> scheme(String name) {
        return Map.of(name, List.of());
    }

    private static String file() {
        try (InputStream file = ApiDescription.class.getResourceAsStream("openapi.json")) {
            return new String(
                    Objects.requireNonNull(file, "openapi.json is not in the jar")
                            .readAllBytes(),
                    StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
