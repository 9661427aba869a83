// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring;

import dev.porchlight.base.sql.UnsupportedDatabaseException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains a startup that failed because of an unsupported database, in one sentence. */
final class UnsupportedDatabaseAnalyzer extends AbstractFailureAnalyzer<UnsupportedDatabaseException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnsupportedDatabaseException cause) {
        return new FailureAnalysis(
                cause.getMessage(),
                "Use a DataSource of one of these, for example spring.datasource.url=jdbc:sqlite:app.db with the "
                        + "driver org.xerial:sqlite-jdbc, or provide beans of type ChallengeStore and CredentialStore "
                        + "and set porchlight.migrate=false.",
                cause);
    }
}
