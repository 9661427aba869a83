// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

/** Thrown for a statement that violates its format. Has no stack trace, because hostile input can cause it cheaply. */
final class InvalidStatementException extends Exception {
    private static final long serialVersionUID = 1L;

    final AttestationReason reason;

    InvalidStatementException(AttestationReason reason) {
        super(reason.code(), null, false, false);
        this.reason = reason;
    }

    /** Refuses the statement for this reason unless the condition holds. */
    static void require(boolean condition, AttestationReason otherwise) throws InvalidStatementException {
        if (!condition) {
            throw new InvalidStatementException(otherwise);
        }
    }
}
