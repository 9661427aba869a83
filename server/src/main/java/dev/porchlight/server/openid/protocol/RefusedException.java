// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.protocol;

/** Ends the handling of a request that is refused. */
public final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Refusal refusal;
    private final String userId;

    public RefusedException(Refusal refusal) {
        this(refusal, "");
    }

    /** With the user whose code or token was presented, or empty. */
    public RefusedException(Refusal refusal, String userId) {
        super(refusal.reason().code(), null, false, false);
        this.refusal = refusal;
        this.userId = userId;
    }

    public Refusal refusal() {
        return refusal;
    }

    public String userId() {
        return userId;
    }
}
