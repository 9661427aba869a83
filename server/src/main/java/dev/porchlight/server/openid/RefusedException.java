// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

/** Ends the handling of a request that is refused. */
final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Refusal refusal;

    RefusedException(Refusal refusal) {
        super(refusal.reason().code(), null, false, false);
        this.refusal = refusal;
    }

    Refusal refusal() {
        return refusal;
    }
}
