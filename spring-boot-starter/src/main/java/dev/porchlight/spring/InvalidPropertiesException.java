// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring;

import java.util.List;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Properties are missing or invalid. */
public final class InvalidPropertiesException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> faults;

    InvalidPropertiesException(List<String> faults) {
        super(String.join("; ", faults));
        this.faults = List.copyOf(faults);
    }

    /** Returns all faults, each with its property. */
    public List<String> faults() {
        return faults;
    }

    /** Explains the failed startup in sentences instead of a stack trace. */
    static final class Analyzer extends AbstractFailureAnalyzer<InvalidPropertiesException> {
        @Override
        protected FailureAnalysis analyze(Throwable rootFailure, InvalidPropertiesException cause) {
            return new FailureAnalysis(
                    "The porchlight properties are invalid:\n\n    " + String.join("\n    ", cause.faults()),
                    "Fix them, for example in application.properties. rp-id and origin must match the pages that users "
                            + "sign in on.",
                    cause);
        }
    }
}
