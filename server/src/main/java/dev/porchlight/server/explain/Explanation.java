// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.explain;

import dev.porchlight.server.explain.Finding.State;
import java.util.List;

/**
 * What became of each step of a ceremony, in the order in which the service judges them.
 *
 * @param registration whether a passkey was to be registered, rather than somebody to sign in
 */
public record Explanation(boolean registration, List<Finding> findings) {
    public Explanation {
        findings = List.copyOf(findings);
    }

    /** How many steps refuse it. */
    public int refused() {
        return (int) findings.stream()
                .filter(finding -> finding.state() == State.REFUSED)
                .count();
    }
}
