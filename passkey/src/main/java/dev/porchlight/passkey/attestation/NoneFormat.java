// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import java.util.List;

/** Section 8.7: no attestation, and therefore no statement. */
final class NoneFormat {
    private NoneFormat() {}

    static Verdict judge(Statement statement) {
        return statement.members().isEmpty()
                ? Verdict.doubtful(AttestationType.NONE, List.of(), AttestationReason.NOT_ATTESTED)
                : Verdict.unsound(AttestationReason.STATEMENT_NOT_EMPTY);
    }
}
