// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.metadata;

import java.util.Optional;
import java.util.stream.Stream;

/** The levels of FIDO's authenticator certification, lowest first. */
public enum CertificationLevel {
    L1("L1"),
    L1_PLUS("L1+"),
    L2("L2"),
    L2_PLUS("L2+"),
    L3("L3"),
    L3_PLUS("L3+");

    private static final String CERTIFIED = "FIDO_CERTIFIED";

    private final String label;

    CertificationLevel(String label) {
        this.label = label;
    }

    /** Such as {@code L1+}. */
    public String label() {
        return label;
    }

    /** Returns the level with this label, or empty. */
    public static Optional<CertificationLevel> of(String label) {
        return Stream.of(values()).filter(level -> level.label.equals(label)).findFirst();
    }

    /** Returns the level of a status such as {@code FIDO_CERTIFIED_L1plus}, or empty. Early certificates have no level. */
    static Optional<CertificationLevel> ofStatus(String status) {
        if (status.equals(CERTIFIED)) {
            return Optional.of(L1);
        }
        return status.startsWith(CERTIFIED + '_')
                ? of(status.substring(CERTIFIED.length() + 1).replace("plus", "+"))
                : Optional.empty();
    }
}
