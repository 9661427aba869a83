// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

/** Ends the handling of a request that is refused. */
final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Refusal refusal;
    private final String userId;

    RefusedException(Refusal refusal) {
        this(refusal, "");
    }

    /** @param userId the user whose code or token was presented, or empty */
    RefusedException(Refusal refusal, String userId) {
        super(refusal.reason().code(), null, false, false);
        this.refusal = refusal;
        this.userId = userId;
    }

    Refusal refusal() {
        return refusal;
    }

    String userId() {
        return userId;
    }
}
