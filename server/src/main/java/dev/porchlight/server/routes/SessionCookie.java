// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.server.http.Exchange;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cookie that holds a session's id. Over https its name has the prefix that binds it to this very host; over http, which
 * is for localhost, browsers would not take it so.
 */
public final class SessionCookie {
    private final String name;
    private final String attributes;

    public SessionCookie(boolean https) {
        name = https ? "__Host-porchlight" : "porchlight";
        attributes = "; Path=/; HttpOnly; SameSite=Strict" + (https ? "; Secure" : "");
    }

    /** The value of the {@code Set-Cookie} header that keeps the session. */
    String keep(String sessionId, Duration lifetime) {
        return name + '=' + sessionId + "; Max-Age=" + lifetime.toSeconds() + attributes;
    }

    String forget() {
        return name + "=; Max-Age=0" + attributes;
    }

    @Nullable
    String read(Exchange exchange) {
        return read(exchange.headers("Cookie"));
    }

    /** Its value in the request's {@code Cookie} headers; HTTP/2 has several. */
    @Nullable
    String read(List<String> headers) {
        for (String header : headers) {
            for (String pair : header.split(";", -1)) {
                String cookie = pair.strip();
                if (cookie.startsWith(name + '=')) {
                    return cookie.substring(name.length() + 1);
                }
            }
        }
        return null;
    }
}
