// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.server.MariaDbServer;
import dev.porchlight.testkit.server.MissingProgramException;
import java.io.IOException;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.mariadb.jdbc.MariaDbDataSource;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

/** Two instances of an application on one MariaDB. */
class MariaDbApplicationTest {
    private final SoftBrowser browser = new SoftBrowser("https://shop.example", SoftAuthenticator.securityKey());

    @Test
    void passkeys_work_on_mariadb_without_further_configuration() throws Exception {
        DataSource database = database();
        WebApplicationContextRunner application = new WebApplicationContextRunner()
                .withUserConfiguration(PasskeyAutoConfigurationTest.Application.class)
                .withBean(DataSource.class, () -> database)
                .withPropertyValues(
                        "porchlight.rp-name=Shop",
                        "porchlight.rp-id=shop.example",
                        "porchlight.origin=https://shop.example");
        application.run(first -> application.run(second -> {
            PasskeyService one = first.getBean(PasskeyService.class);
            PasskeyService two = second.getBean(PasskeyService.class);
            String created = browser.create(one.startRegistration("ada").toJson());
            assertThat(two.finishRegistration("ada", created).registered()).isTrue();

            String response = browser.get(one.startAuthentication("ada").toJson());

            assertThat(two.finishAuthentication("ada", response).verified()).isTrue();
            assertThat(one.finishAuthentication("ada", response).verified()).isFalse();
        }));
    }

    private static DataSource database() throws IOException, SQLException {
        try {
            return new MariaDbDataSource(MariaDbServer.freshDatabase());
        } catch (MissingProgramException e) {
            if ("true".equals(System.getenv("CI"))) {
                Assertions.fail(e.getMessage());
            }
            System.err.println("Skipped: " + e.getMessage());
            return Assumptions.abort(e.getMessage());
        }
    }
}
