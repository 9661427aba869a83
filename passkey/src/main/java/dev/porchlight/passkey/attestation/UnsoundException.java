// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

/** A statement that is not what its format demands. Without a stack trace, because hostile input causes it. */
final class UnsoundException extends Exception {
    private static final long serialVersionUID = 1L;

    private final AttestationReason reason;

    UnsoundException(AttestationReason reason) {
        super(reason.code(), null, false, false);
        this.reason = reason;
    }

    AttestationReason reason() {
        return reason;
    }

    /** Refuses the statement for this reason unless the condition holds. */
    static void require(boolean condition, AttestationReason otherwise) throws UnsoundException {
        if (!condition) {
            throw new UnsoundException(otherwise);
        }
    }
}
