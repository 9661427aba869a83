// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.oracle;

import java.util.List;
import java.util.Set;

/**
 * Responses on which oracles differ from this library for one reason.
 *
 * @param oracles the oracles that differ
 * @param reason their behavior, as a sentence that starts with their name
 * @param cases mutations by name, in every ceremony or in one ({@code registration/id-empty}), or vectors by id
 */
record Difference(Set<Judge> oracles, String reason, List<String> cases) {
    /** An oracle. */
    enum Judge {
        WEBAUTHN4J("webauthn4j"),
        YUBICO("Yubico");

        private final String title;

        Judge(String title) {
            this.title = title;
        }

        @Override
        public String toString() {
            return title;
        }
    }

    static Difference both(String reason, String... cases) {
        return new Difference(Set.of(Judge.values()), reason, List.of(cases));
    }

    static Difference webauthn4j(String reason, String... cases) {
        return new Difference(Set.of(Judge.WEBAUTHN4J), reason, List.of(cases));
    }

    static Difference yubico(String reason, String... cases) {
        return new Difference(Set.of(Judge.YUBICO), reason, List.of(cases));
    }

    /** Returns whether it covers this case, given as {@code ceremony/name} or as a vector's id. */
    boolean covers(String caseName) {
        return cases.contains(caseName) || cases.contains(caseName.substring(caseName.indexOf('/') + 1));
    }
}
