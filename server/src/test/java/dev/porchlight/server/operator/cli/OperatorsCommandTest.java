// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Operators and named tokens on the command line. */
class OperatorsCommandTest {
    @TempDir
    Path directory;

    private CliRun run(String... words) {
        return CliRun.of(Map.of("DATA_DIR", directory.toString()), words);
    }

    @Test
    void roles_are_given_listed_and_taken_away() {
        assertThat(run("operators", "list").out()).contains("No user has a role.");
        CliRun unknown = run("operators", "add", "ada", "--role", "owner");
        assertThat(unknown.status()).isOne();
        assertThat(unknown.err()).contains("there is no user ada");
        run("enroll", "ada");

        assertThat(run("operators", "add", "ada", "--role", "owner").out())
                .startsWith("ada now has the role owner.\n")
                .contains("no valid link", "./porchlight enroll ada\n");
        run("enroll", "ada");
        assertThat(run("operators", "add", "ada", "--role", "owner").out())
                .isEqualTo("ada already had the role owner.\n");
        assertThat(run("operators", "list").out()).matches("USER ID +ROLE +SINCE\nada +owner +\\S+Z\n");
        CliRun last = run("operators", "remove", "ada");
        assertThat(last.status()).isOne();
        assertThat(last.err()).contains("ada is the last owner", "--force");
        assertThat(run("operators", "remove", "ada", "--force").out()).isEqualTo("ada has no role anymore.\n");
        assertThat(run("operators", "remove", "ada").out()).isEqualTo("ada has no role.\n");
        assertThat(run("operators", "add", "ada", "--role", "admin").status()).isEqualTo(2);
        assertThat(run("audit", "list", "--action", "operator_added").out()).contains("ada", "owner", "cli:");
        assertThat(run("audit", "verify").status()).isZero();
    }

    @Test
    void tokens_are_issued_listed_and_revoked() {
        assertThat(run("tokens", "list").out()).contains("There are no tokens.");

        CliRun issued = run("tokens", "add", "backend", "--role", "support", "--valid", "90d");
        assertThat(issued.out()).matches("plt_[\\w-]{43}\n");
        assertThat(issued.err()).contains("not shown again");
        assertThat(run("tokens", "add", "backend", "--role", "owner").status()).isOne();
        assertThat(run("tokens", "list").out())
                .matches("NAME +ROLE +CREATED +BY +EXPIRES +LAST USE\nbackend +support +\\S+Z +cli:\\S+ +\\S+Z +-\n");
        assertThat(run("tokens", "revoke", "backend").out()).isEqualTo("The token backend is revoked.\n");
        assertThat(run("tokens", "revoke", "backend").status()).isOne();
        assertThat(run("tokens", "add", "no name!", "--role", "owner").status()).isEqualTo(2);
        assertThat(run("tokens", "add", "backend", "--role", "owner", "--valid", "soon")
                        .status())
                .isEqualTo(2);
    }
}
