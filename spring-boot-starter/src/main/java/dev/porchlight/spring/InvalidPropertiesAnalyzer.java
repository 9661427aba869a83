// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Has a start that fails for wrong properties end in sentences and not in a stack trace. */
final class InvalidPropertiesAnalyzer extends AbstractFailureAnalyzer<InvalidPropertiesException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidPropertiesException cause) {
        String faults = String.join("\n    ", cause.faults());
        return new FailureAnalysis(
                "Passkeys cannot be offered with these properties:\n\n    " + faults,
                "Mend them, for example in application.properties. rp-id and origin must be those of the pages that people "
                        + "sign in on.",
                cause);
    }
}
