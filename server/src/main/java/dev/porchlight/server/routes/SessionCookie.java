// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.server.http.Exchange;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The session cookie. Over https its name has the prefix {@code __Host-}, which binds it to this host; browsers refuse the prefix
 * over http, which is for localhost.
 */
public final class SessionCookie {
    private final String name;
    private final String attributes;

    public SessionCookie(boolean https) {
        name = https ? "__Host-porchlight" : "porchlight";
        attributes = "; Path=/; HttpOnly; SameSite=Strict" + (https ? "; Secure" : "");
    }

    /** The {@code Set-Cookie} header that sets the session. */
    String keep(String sessionId, Duration lifetime) {
        return name + '=' + sessionId + "; Max-Age=" + lifetime.toSeconds() + attributes;
    }

    String forget() {
        return name + "=; Max-Age=0" + attributes;
    }

    /** Whether a request carries the cookie. Its session may have ended. */
    public boolean isPresent(Exchange exchange) {
        return read(exchange) != null;
    }

    @Nullable
    String read(Exchange exchange) {
        return read(exchange.headers("Cookie"));
    }

    /** Returns the session id in the {@code Cookie} headers, of which HTTP/2 has several. */
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
