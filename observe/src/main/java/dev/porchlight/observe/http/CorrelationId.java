// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.http;

import dev.porchlight.observe.wire.WireBuffer;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** The correlation ids of requests: the caller's if it is safe to print, otherwise a new one. */
public final class CorrelationId {
    /** The header of requests and responses. */
    public static final String HEADER = "X-Correlation-ID";

    private static final int MAX_LENGTH = 128;

    private CorrelationId() {}

    /**
     * Returns the id of a request.
     *
     * @param given the values of the request's header {@value #HEADER}
     */
    public static String of(List<String> given) {
        String only = given.size() == 1 ? given.get(0) : null; // some servers return null for an empty value
        return only != null && isAccepted(only) ? only : newId();
    }

    /** Returns 32 random hex digits: unique, but not a secret. */
    public static String newId() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return new WireBuffer(32).hex(random.nextLong()).hex(random.nextLong()).toString();
    }

    /** Accepts every id in common use, and no character that is special in a log, a shell or a page. */
    private static boolean isAccepted(String id) {
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            boolean letterOrDigit = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
            if (!letterOrDigit && "._:/+=@-".indexOf(c) < 0) {
                return false;
            }
        }
        return !id.isEmpty() && id.length() <= MAX_LENGTH;
    }
}
