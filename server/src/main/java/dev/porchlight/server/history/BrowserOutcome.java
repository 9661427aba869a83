// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The outcome of a ceremony in the browser: the error codes of the browser helper, {@code ok} and {@code waiting}. */
public enum BrowserOutcome {
    OK,
    INSECURE,
    UNSUPPORTED,
    BLOCKED,
    DISMISSED,
    TIMEOUT,
    ABORTED,
    DUPLICATE,
    CONFIG,
    AUTHENTICATOR,
    EXPIRED,
    REFUSED,
    EXISTS,
    CLOSED,
    LIMITED,
    UNAVAILABLE,
    NETWORK,
    /** There is no outcome yet: the prompt may not have opened. */
    WAITING;

    private final String code = name().toLowerCase(Locale.ROOT);

    /** The code in requests and metric labels. */
    public String code() {
        return code;
    }

    /** The outcome with this code, or null. */
    public static @Nullable BrowserOutcome of(String code) {
        return Stream.of(values())
                .filter(outcome -> outcome.code.equals(code))
                .findFirst()
                .orElse(null);
    }
}
