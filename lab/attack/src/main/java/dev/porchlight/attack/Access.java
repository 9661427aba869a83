// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import java.util.ArrayList;
import java.util.List;
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

    /** The headers that show it; the token, if there are both. */
    String[] headers() {
        List<String> headers = new ArrayList<>();
        if (token != null) {
            headers.add("Authorization");
            headers.add("Bearer " + token);
        } else if (cookie != null) {
            headers.add("Cookie");
            headers.add(cookie);
        }
        return headers.toArray(String[]::new);
    }
}
