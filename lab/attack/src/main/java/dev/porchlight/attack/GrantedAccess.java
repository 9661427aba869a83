// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.TestResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The token and session cookie that a login returned.
 *
 * @param token the bearer token, if any
 * @param cookie the session cookie as {@code name=value}, if any
 * @param setCookie the header that set the cookie
 */
record GrantedAccess(
        @Nullable String token,
        @Nullable String cookie,
        @Nullable String setCookie) {
    static GrantedAccess of(TestResponse login) {
        String token = login.jsonIfAny().string("token", "");
        String cookie = login.cookie();
        return new GrantedAccess(
                token.isEmpty() ? null : token, cookie.isEmpty() ? null : cookie, login.header("Set-Cookie"));
    }

    /** The request headers for a token. */
    static String[] bearer(String token) {
        return new String[] {"Authorization", "Bearer " + token};
    }

    /** The request headers for this access. Prefers the token to the cookie. */
    String[] headers() {
        return all().values().stream().findFirst().orElse(new String[0]);
    }

    /** The request headers for each kind of access, by name. */
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
