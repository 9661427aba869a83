// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.oracle;

import java.util.List;
import java.util.Set;

/**
 * Responses on which an oracle differs from us for one reason.
 *
 * @param oracles who differs
 * @param reason what they do, in the words of a sentence that they begin
 * @param cases mutations by name, told in every ceremony that has them, or in one: {@code registration/id-empty}; or vectors
 *     by id
 */
record Difference(Set<Judge> oracles, String reason, List<String> cases) {
    /** An oracle, by the name it goes by. */
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

    /** Whether it is about this case, given as {@code ceremony/name} or as a vector's id. */
    boolean covers(String caseName) {
        return cases.contains(caseName) || cases.contains(caseName.substring(caseName.indexOf('/') + 1));
    }
}
