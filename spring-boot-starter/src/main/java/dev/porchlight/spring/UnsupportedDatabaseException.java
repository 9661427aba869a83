// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring;

import dev.porchlight.base.sql.StorageException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** The tables cannot be created because the application's database is not supported. */
public final class UnsupportedDatabaseException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final Set<String> SUPPORTED = Set.of("SQLite", "PostgreSQL", "MySQL", "MariaDB");

    private UnsupportedDatabaseException(String product, StorageException cause) {
        super(
                "Passkeys need SQLite, PostgreSQL, MySQL or MariaDB, but the application's DataSource is " + product
                        + ".",
                cause);
    }

    /**
     * Returns the exception to throw for a failure on this database: the failure itself if its engine is supported or
     * unknown.
     */
    static RuntimeException explain(StorageException failure, DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            String product = connection.getMetaData().getDatabaseProductName();
            return SUPPORTED.contains(product) ? failure : new UnsupportedDatabaseException(product, failure);
        } catch (SQLException e) {
            failure.addSuppressed(e);
            return failure;
        }
    }

    /** Explains the failed startup in one sentence. */
    static final class Analyzer extends AbstractFailureAnalyzer<UnsupportedDatabaseException> {
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
}
