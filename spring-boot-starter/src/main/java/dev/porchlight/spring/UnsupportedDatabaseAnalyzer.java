// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains a start that fails on an unsupported database in one sentence. */
final class UnsupportedDatabaseAnalyzer extends AbstractFailureAnalyzer<UnsupportedDatabaseException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnsupportedDatabaseException cause) {
        return new FailureAnalysis(
                cause.getMessage(),
                "Use a DataSource of one of the two, for example spring.datasource.url=jdbc:sqlite:app.db with the driver "
                        + "org.xerial:sqlite-jdbc, or provide beans of type ChallengeStore and CredentialStore and set "
                        + "porchlight.migrate=false.",
                cause);
    }
}
