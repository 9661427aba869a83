// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.ProblemException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The body of a request as text or as a JSON object. */
final class JsonBody {
    private JsonBody() {}

    /** The text. Bytes that are no UTF-8 become replacement characters, which no member of ours may hold. */
    static String text(Exchange exchange) throws ProblemException, IOException {
        return new String(exchange.json(), StandardCharsets.UTF_8);
    }

    static JsonObject object(Exchange exchange) throws ProblemException, IOException, MalformedException {
        return JsonObject.parse(text(exchange), "");
    }
}
