// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients and groups of OpenID Connect on the command line. */
class ClientsCommandTest {
    private static final String URI = "https://grafana.example.com/login/generic_oauth";

    @TempDir
    Path directory;

    private CliRun run(String... words) {
        return CliRun.of(Map.of("DATA_DIR", directory.toString()), words);
    }

    @Test
    void a_client_is_registered_shown_and_removed() {
        CliRun added = run("clients", "add", "grafana", "--name", "Grafana", "--redirect-uri", URI, "--group", "staff");
        assertThat(added.status()).as(added.err()).isZero();
        assertThat(added.out())
                .matches("client ID +grafana\nclient secret +[A-Za-z0-9_-]{43}\nissuer +http://localhost:8080\n");

        assertThat(run("clients", "add", "grafana", "--redirect-uri", URI).status())
                .isEqualTo(1);
        assertThat(run("clients", "list").out())
                .matches("CLIENT ID  NAME     PUBLIC  GROUPS  CREATED\ngrafana    Grafana  no      staff   .*Z\n");
        assertThat(run("clients", "show", "grafana").out())
                .contains("client_secret_basic", URI, "staff", "RS256", "12 h", "/.well-known/openid-configuration")
                .doesNotContain("client secret");
        CliRun rotated = run("clients", "rotate-secret", "grafana");
        assertThat(rotated.out()).matches("client secret  [A-Za-z0-9_-]{43}\n");
        assertThat(run("clients", "remove", "grafana").out()).contains("grafana is removed.");
        assertThat(run("clients", "show", "grafana").status()).isEqualTo(1);
        assertThat(run("clients", "list").out()).contains("No application is registered.");
        assertThat(run("audit", "verify").status()).isZero();
    }

    @Test
    void a_client_is_changed_and_the_rest_stays() {
        run("clients", "add", "grafana", "--redirect-uri", URI, "--logout-uri", URI, "--group", "staff");
        String before = run("clients", "show", "grafana").out();

        assertThat(run("clients", "change", "grafana", "--name", "Grafana").out())
                .isEqualTo(before.replaceFirst("(name +)grafana", "$1Grafana"));
        CliRun changed = run("clients", "change", "grafana", "--third-party", "--session", "1", "--group", "admins");
        assertThat(changed.out()).contains(URI, "admins", "1 h").containsPattern("consent required +yes\n");
        assertThat(run("clients", "change", "grafana", "--all-users", "--no-logout-uri", "--no-third-party")
                        .out())
                .contains("all users")
                .containsPattern("consent required +no\n")
                .doesNotContain("logout URI");
        assertThat(run("audit", "verify").status()).isZero();
    }

    @Test
    void an_invalid_change_of_a_client_is_refused() {
        run("clients", "add", "grafana", "--redirect-uri", URI, "--group", "staff");

        CliRun open = run("clients", "change", "grafana", "--group", "", "--redirect-uri", "http://grafana.example");
        assertThat(open.status()).isEqualTo(1);
        assertThat(open.err()).contains("'' is not a valid group name.", "Redirect URI http://grafana.example");
        assertThat(run("clients", "change", "grafana").status()).isEqualTo(2);
        assertThat(run("clients", "change", "grafana", "--group", "admins", "--all-users")
                        .status())
                .isEqualTo(2);
        assertThat(run("clients", "change", "unknown", "--name", "x").status()).isEqualTo(1);
        assertThat(run("clients", "show", "grafana").out()).contains("staff", URI);
    }

    @Test
    void a_change_of_a_client_that_changed_in_the_meantime_is_refused() throws SQLException {
        run("clients", "add", "grafana", "--redirect-uri", URI);
        // As if another operator changed the client after it was read.
        try (Connection database = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("porchlight.db"));
                Statement statement = database.createStatement()) {
            statement.execute(
                    "CREATE TRIGGER overtaken BEFORE UPDATE ON porchlight_client BEGIN SELECT RAISE(IGNORE); END");
        }

        CliRun run = run("clients", "change", "grafana", "--group", "staff");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("was changed or removed in the meantime", "porchlight clients show grafana");
    }

    @Test
    void every_invalid_setting_is_reported() {
        CliRun run = run("clients", "add", "Grafana!", "--redirect-uri", "http://grafana.example.com/*");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("The id must have", "Redirect URI http://grafana.example.com/*");
        assertThat(run("clients", "add", "grafana").status()).isEqualTo(2);
    }

    @Test
    void a_public_client_has_no_secret() {
        assertThat(run("clients", "add", "spa", "--public", "--redirect-uri", "https://spa.example/")
                        .out())
                .doesNotContain("secret");
        assertThat(run("clients", "rotate-secret", "spa").status()).isEqualTo(1);
    }

    @Test
    void users_join_and_leave_groups() {
        CliRun unknown = run("groups", "add", "staff", "ada");
        assertThat(unknown.status()).isEqualTo(1);
        assertThat(unknown.err()).contains("there is no user ada", "./porchlight enroll");
        assertThat(run("enroll", "ada").status()).isZero();
        assertThat(run("groups", "add", "staff", "ada").out()).contains("ada is now a member of staff.");
        assertThat(run("groups", "add", "staff", "ada").out()).contains("ada was already a member of staff.");
        assertThat(run("groups", "list").out()).isEqualTo("GROUP  MEMBERS\nstaff  1\n");
        assertThat(run("groups", "list", "staff").out()).isEqualTo("group    staff\nmembers  ada\n");
        CliRun kept = run("groups", "delete", "staff");
        assertThat(kept.status()).isEqualTo(1);
        assertThat(kept.err()).isEqualTo("Error: the group staff has 1 member. Remove them first.\n");
        assertThat(run("groups", "remove", "staff", "ada").out()).contains("ada is no longer a member of staff.");
        assertThat(run("groups", "list").out()).isEqualTo("GROUP  MEMBERS\nstaff  0\n");
        assertThat(run("groups", "delete", "staff").out()).isEqualTo("The group staff is deleted.\n");
        assertThat(run("groups", "delete", "staff").err()).contains("there is no group staff");
        assertThat(run("groups", "list").out()).contains("There are no groups.");
        assertThat(run("groups", "add", "no such group!", "ada").status()).isEqualTo(1);
    }
}
