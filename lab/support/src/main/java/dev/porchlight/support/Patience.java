// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.support;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * How long tests wait for an event that must happen. The limit is generous because the suite overloads the machine by itself: a
 * passing test never reaches it, and a failing one reports late rather than wrongly.
 */
public final class Patience {
    /** The longest wait for an event that must happen. */
    public static final Duration LIMIT = Duration.ofMinutes(10);

    /** {@link #LIMIT} in seconds, for methods that expect a number. */
    public static final int SECONDS = (int) LIMIT.toSeconds();

    /** {@link #LIMIT} in milliseconds, for the timeouts of sockets. */
    public static final int MILLIS = (int) LIMIT.toMillis();

    /**
     * {@code REQUEST_TIMEOUT_MS} of services whose tests check what happens, not how fast. Tests of timeouts and overload use the
     * default instead.
     */
    public static final String REQUEST_TIMEOUT_MS = "60000";

    private Patience() {}

    /** Variables of a service or command that waits as long as {@link #REQUEST_TIMEOUT_MS}, unless they say otherwise. */
    public static Map<String, String> variables(Map<String, String> variables) {
        Map<String, String> all = new HashMap<>(variables);
        all.putIfAbsent("REQUEST_TIMEOUT_MS", REQUEST_TIMEOUT_MS);
        return all;
    }
}
