// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.http;

import org.jspecify.annotations.Nullable;

/**
 * An HTTP response.
 *
 * @param head the status line and headers, each line terminated by CRLF
 * @param body decoded as UTF-8
 */
public record Response(int status, String head, String body) {
    /** Whether the status is 2xx. */
    public boolean ok() {
        return status / 100 == 2;
    }

    /** The first header of this name, or null. */
    public @Nullable String header(String name) {
        for (String line : head.split("\r\n", -1)) {
            int colon = line.indexOf(':');
            if (colon == name.length() && line.regionMatches(true, 0, name, 0, colon)) {
                return line.substring(colon + 1).strip();
            }
        }
        return null;
    }

    /** A JSON string member without escapes, such as a token or a code; empty if it is missing. */
    public String field(String name) {
        String key = "\"" + name + "\":\"";
        int from = body.indexOf(key);
        int begin = from + key.length();
        return from < 0 ? "" : body.substring(begin, body.indexOf('"', begin));
    }

    /** The cookie that the response sets, as {@code name=value}; empty if it sets no cookie. */
    public String cookie() {
        String set = header("Set-Cookie");
        return set == null ? "" : set.split(";", 2)[0];
    }

    @Override
    public String toString() {
        return status + " " + body;
    }
}
