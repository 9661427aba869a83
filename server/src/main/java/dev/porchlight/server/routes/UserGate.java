// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.server.auth.Enrolments;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Tells from headers alone whether a request may come from a user, before its body has arrived. Immutable. */
public final class UserGate {
    private static final Pattern TOKEN = Pattern.compile("[\\w-]+\\.[\\w-]+\\.[\\w-]+");

    private final SessionCookie cookie;

    public UserGate(boolean https) {
        cookie = new SessionCookie(https);
    }

    /** Whether there is neither a session cookie nor anything that has the form of a token. */
    public boolean refuses(@Nullable String authorization, List<String> cookies) {
        String bearer = Callers.bearer(authorization);
        return bearer == null
                ? cookie.read(cookies) == null
                : !bearer.startsWith(Enrolments.PREFIX)
                        && !TOKEN.matcher(bearer).matches();
    }
}
