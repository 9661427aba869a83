// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring;

import java.util.List;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Properties are missing, or have values that no browser accepts. */
public final class InvalidPropertiesException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> faults;

    InvalidPropertiesException(List<String> faults) {
        super(String.join("; ", faults));
        this.faults = List.copyOf(faults);
    }

    /** All faults, each with its property. */
    public List<String> faults() {
        return faults;
    }

    /** Explains the failed start in sentences instead of a stack trace. */
    static final class Analyzer extends AbstractFailureAnalyzer<InvalidPropertiesException> {
        @Override
        protected FailureAnalysis analyze(Throwable rootFailure, InvalidPropertiesException cause) {
            return new FailureAnalysis(
                    "Passkeys cannot be offered with these properties:\n\n    " + String.join("\n    ", cause.faults()),
                    "Fix them, for example in application.properties. rp-id and origin must be those of the pages that "
                            + "users sign in on.",
                    cause);
        }
    }
}
