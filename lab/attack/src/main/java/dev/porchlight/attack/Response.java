// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.wire.JsonException;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP response.
 *
 * @param status 0 if the connection was closed without a response
 * @param headers by lower-case name
 */
record Response(int status, Map<String, List<String>> headers, String body) {
    Response {
        headers = Map.copyOf(headers);
    }

    static Response cutOff() {
        return new Response(0, Map.of(), "");
    }

    boolean success() {
        return status >= 200 && status < 300;
    }

    /** Whether the service asks the client to retry later. */
    boolean later() {
        return status == 429 || status == 503;
    }

    /** The JSON object in the body; an empty object if the body is not JSON. */
    JsonObject json() {
        try {
            return JsonObject.parse(body);
        } catch (JsonException e) {
            return new JsonObject();
        }
    }

    @Nullable
    String header(String name) {
        List<String> values = headers.get(name.toLowerCase(Locale.ROOT));
        return values == null || values.isEmpty() ? null : values.get(0);
    }

    /** The cookie that the response sets, as {@code name=value}. */
    @Nullable
    String cookie() {
        String set = header("Set-Cookie");
        return set == null ? null : set.split(";", 2)[0];
    }
}
