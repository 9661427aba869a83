// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a login gave.
 *
 * @param token the bearer token, if there is one
 * @param cookie the session's, as {@code name=value}, if there is one
 * @param setCookie the header that set it
 */
record Access(
        @Nullable String token,
        @Nullable String cookie,
        @Nullable String setCookie) {
    static final String SESSION = "/auth/session";

    static Access of(Response login) {
        String token = login.json().string("token", "");
        return new Access(token.isEmpty() ? null : token, login.cookie(), login.header("Set-Cookie"));
    }

    /** The headers that show a token. */
    static String[] bearer(String token) {
        return new String[] {"Authorization", "Bearer " + token};
    }

    /** The headers that show it; the token, if there are both. */
    String[] headers() {
        return all().values().stream().findFirst().orElse(new String[0]);
    }

    /** What there is of token and session, each with the headers that show it. */
    Map<String, String[]> all() {
        Map<String, String[]> all = new LinkedHashMap<>();
        if (token != null) {
            all.put("token", bearer(token));
        }
        if (cookie != null) {
            all.put("session", new String[] {"Cookie", cookie});
        }
        return all;
    }
}
