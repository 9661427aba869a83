// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

import java.util.regex.Pattern;

/** The correlation ids that clients may choose. */
public final class CorrelationIds {
    /** The header of requests and responses. */
    public static final String HEADER = "X-Correlation-ID";

    private static final Pattern ACCEPTED = Pattern.compile("[A-Za-z0-9._:/+=@-]{1,128}");

    private CorrelationIds() {}

    /** Accepts every id in common use, and no character that is special in a log, a shell or a page. */
    public static boolean isAccepted(String id) {
        return ACCEPTED.matcher(id).matches();
    }
}
