// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.CredentialStore.Addition;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.passkey.store.UserRecord;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.InvalidConfigException;
import dev.porchlight.server.config.Setting;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.crypto.SignatureProvider;
import dev.porchlight.server.wiring.Parts;
import dev.porchlight.server.wiring.StorageModule;
import dev.porchlight.support.Patience;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CliTest {
    private static final String JWK =
            "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY\",\"y\":\"T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU\"}";

    private static final String KEY_ID = "[0-9a-f-]{36}";
    private static final String TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ";

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "keys",
                "fly",
                "keys fly",
                "enroll",
                "passkeys remove alice",
                "serve --fast",
                "doctor localhost",
                "backup",
                "restore",
                "export",
                "import",
                "import --from spring FILE",
                "import --from elsewhere FILE"
            })
    void invalid_usage_exits_with_2_and_lists_the_commands(String command) {
        CliRun run = CliRun.of(environment(), command.isEmpty() ? new String[0] : command.split(" ", -1));

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("Usage: porchlight");
    }

    @Test
    void serve_runs_the_service_with_the_environment() {
        List<Map<String, String>> served = new ArrayList<>();
        CliRun run = CliRun.of(Map.of("PORT", "81"), served::add, "serve");

        assertThat(run.status()).isZero();
        assertThat(served).containsExactly(Patience.variables(Map.of("PORT", "81")));
    }

    @Test
    void a_service_that_cannot_start_exits_with_1_and_one_line_with_the_reason() {
        Cli.Service broken = variables -> {
            throw new IOException("port 80 is taken", new IOException("by nginx"));
        };
        CliRun run = CliRun.of(Map.of(), broken, "serve");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err().lines()).containsExactly("Error: port 80 is taken: by nginx");
    }

    @Test
    void an_invalid_configuration_exits_with_2_and_names_every_error() {
        CliRun run = CliRun.of(Map.of("PORT", "x", "SIGNUP", "maybe"), Config::read, "serve");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err().lines())
                .containsExactly(
                        "Error: the configuration is invalid:",
                        "  PORT is \"x\": must be a whole number from 0 to 65535",
                        "  SIGNUP is \"maybe\": must be one of open, closed");
    }

    @Test
    void config_shows_every_variable_with_its_value_and_source() {
        CliRun run = CliRun.of(Map.of("PORT", "8443"), "config");

        assertThat(run.status()).isZero();
        assertThat(run.out().lines())
                .contains(
                        "PORT = 8443 (environment)",
                        "HOST = 127.0.0.1 (default)",
                        "MANAGEMENT_PORT = unset (default)",
                        "RP_ORIGIN = http://localhost:8443 (default)",
                        "DATA_DIR = ./data (default)",
                        "DATABASE_URL = jdbc:sqlite:./data/porchlight.db (default)",
                        "REDIS_URL = unset (default)",
                        "SESSION_SECRET = unset (default: generated in ./data)",
                        "ADMIN_TOKEN = unset (default)",
                        "SIGNUP = open (default)",
                        "SHUTDOWN_DELAY_MS = 0 (default)",
                        "OTEL_SERVICE_NAME = porchlight (default)",
                        "    " + SignatureProvider.choose().algorithms());
        for (Setting<?> setting : Settings.all()) {
            assertThat(run.out()).contains(setting + " = ").contains("    " + setting.help());
        }
    }

    @Test
    void config_shows_defaults_that_depend_on_other_variables() {
        CliRun run = CliRun.of(
                Map.of(
                        "RP_ID", "example.com",
                        "RP_ORIGIN", "https://example.com",
                        "SESSION_SECRET", UUID.randomUUID().toString(),
                        "K_SERVICE", "login"),
                "config");

        assertThat(run.status()).isZero();
        assertThat(run.out().lines())
                .contains(
                        "HOST = 0.0.0.0 (default)",
                        "SIGNUP = closed (default)",
                        "SHUTDOWN_DELAY_MS = 3000 (default)",
                        "OTEL_SERVICE_NAME = login (default)");
    }

    @Test
    void config_hides_secrets() {
        CliRun run = CliRun.of(
                Map.of(
                        "SESSION_SECRET", "hush-hush-hush-hush-hush-hush-hush",
                        "ADMIN_TOKEN", "hush-hush-hush-hush",
                        "OTEL_EXPORTER_OTLP_HEADERS", "authorization=hush",
                        "DATABASE_URL", "postgres://porch:hu%2Fsh/@db.example.com/porchlight"),
                "config");

        assertThat(run.out())
                .doesNotContain("hush", "hu%2Fsh")
                .contains("SESSION_SECRET = set (environment)", "ADMIN_TOKEN = set (environment)")
                .contains(
                        "OTEL_EXPORTER_OTLP_HEADERS = set (environment)",
                        "DATABASE_URL = postgres://porch:********@db.example.com/");
    }

    @Test
    void config_warns_of_a_misspelled_variable_and_never_shows_its_value() {
        CliRun run = CliRun.of(Map.of("SESION_SECRET", "hush"), "config");

        assertThat(run.status()).isZero();
        assertThat(run.err()).isEqualTo("Warning: SESION_SECRET is not a setting. Did you mean SESSION_SECRET?\n");
        assertThat(run.out()).doesNotContain("hush");
    }

    @Test
    void a_misspelled_variable_is_named_beside_the_setting_that_is_missing() {
        Map<String, String> variables = Map.of(
                "RP_ID", "example.com",
                "RP_ORIGN", "https://example.com",
                "SESSION_SECRET", UUID.randomUUID().toString());
        CliRun run = CliRun.of(variables, Config::read, "serve");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err().lines())
                .anyMatch(line -> line.startsWith("  RP_ORIGIN is missing"))
                .endsWith("Warning: RP_ORIGN is not a setting. Did you mean RP_ORIGIN?");
        assertThat(CliRun.of(variables, "doctor").out())
                .contains(
                        "PROBLEM  RP_ORIGIN is missing", "warning  RP_ORIGN is not a setting. Did you mean RP_ORIGIN?");
    }

    @Test
    void config_exits_with_2_when_the_service_would_not_start() {
        CliRun run = CliRun.of(Map.of("PORT", "x"), "config");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.out()).contains("PORT = x (environment)");
        assertThat(run.err()).contains("PORT is \"x\"");
    }

    @Test
    void keys_are_listed_with_the_newest_first() {
        assertThat(CliRun.of(environment(), "keys", "list").out()).startsWith("There is no key yet");
        String first = CliRun.of(environment(), "keys", "rotate").out();
        String added = "(The new key " + KEY_ID + " \\([ER]S256\\) signs tokens from " + TIME + " on\\.\n){2}";
        assertThat(first).matches(added).contains("(ES256)", "(RS256)");
        String second = CliRun.of(environment(), "keys", "rotate").out();
        assertThat(second)
                .matches(added + "(The old key " + KEY_ID + " \\([ER]S256\\) stays published until " + TIME
                        + ", when its last token has expired\\.\n){2}")
                .contains("The old key " + kid(first));

        assertThat(CliRun.of(environment(), "keys", "list").out())
                .matches("KEY ID +ALGORITHM  SIGNS  SIGNS FROM +PUBLISHED UNTIL\n(" + KEY_ID + "  [ER]S256      no     "
                        + TIME + "  -\n){2}(" + KEY_ID + "  [ER]S256      yes    " + TIME + "  " + TIME + "\n){2}")
                .contains(kid(first), kid(second));
        assertThat(CliRun.of(environment(), "keys", "rotate", "--now").out())
                .endsWith("All other keys are deleted, and the tokens that they signed are refused.\n");
    }

    @Test
    void keys_sealed_under_another_secret_are_reported() {
        CliRun.of(environment(), "keys", "rotate");
        CliRun run = CliRun.of(with("SESSION_SECRET", "another-secret-of-more-than-32-bytes"), "keys", "list");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("sealed under another SESSION_SECRET");
    }

    @Test
    void enroll_prints_a_link_with_a_token_for_that_user() throws Exception {
        CliRun run = CliRun.of(environment(), "enroll", "alice");

        assertThat(run.status()).isZero();
        assertThat(run.out()).startsWith("http://localhost:8080/#enroll=enroll_");
        assertThat(run.err()).startsWith("Valid until ");
        String token = run.out().strip().replaceFirst(".*#enroll=", "");
        try (Parts parts = new Parts()) {
            var enrollment = new StorageModule(parts, Config.read(Patience.variables(environment())))
                    .enrollments()
                    .find(token);
            assertThat(enrollment.userId()).isEqualTo("alice");
            assertThat(enrollment.firstOnly()).isFalse();
        }
    }

    @Test
    void enroll_warns_that_the_user_is_locked() {
        CliRun.of(environment(), "enroll", "alice");
        CliRun.of(environment(), "users", "lock", "alice");

        assertThat(CliRun.of(environment(), "enroll", "alice").err()).contains("Warning: the user is locked.");
    }

    @ParameterizedTest
    @CsvSource({"30m, 1800", "24h, 86400", "7d, 604800"})
    void enroll_prints_a_link_with_the_chosen_lifetime(String valid, long seconds) {
        CliRun run = CliRun.of(environment(), "enroll", "alice", "--valid", valid);

        Instant until = Instant.parse(run.err().strip().replaceFirst("Valid until ", ""));
        assertThat(until).isCloseTo(Instant.now().plusSeconds(seconds), within(1, ChronoUnit.MINUTES));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0m", "8d", "169h", "10", "-1h", "1.5h", "", "999999d"})
    void enroll_refuses_an_invalid_lifetime(String valid) {
        CliRun run = CliRun.of(environment(), "enroll", "alice", "--valid", valid);

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("--valid", "must be from 1s to 7d: a number with the unit s, m, h or d");
    }

    @Test
    void enroll_refuses_an_invalid_user_id() {
        CliRun run = CliRun.of(environment(), "enroll", "a\nb");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("must not contain control");
        assertThat(run.out()).isEmpty();
    }

    @Test
    void credentials_are_listed_and_removed_but_the_last_only_by_force() throws Exception {
        add("alice", "AAAA");
        add("alice", "BBBB");

        assertThat(CliRun.of(environment(), "passkeys", "list", "alice").out()).isEqualTo("""
                        NAME         CREATED               LAST USED  ID
                        Passkey      1970-01-01T00:00:00Z  -          AAAA
                        Passkey (2)  1970-01-01T00:00:00Z  -          BBBB
                        """);
        assertThat(CliRun.of(environment(), "passkeys", "remove", "bob", "AAAA").err())
                .startsWith("Error: bob has no such passkey. List them with: ");
        assertThat(CliRun.of(environment(), "passkeys", "remove", "alice", "AAAA")
                        .status())
                .isZero();
        CliRun kept = CliRun.of(environment(), "passkeys", "remove", "alice", "BBBB");
        assertThat(kept.status()).isEqualTo(1);
        assertThat(kept.err()).contains("last passkey").contains("--force");
        assertThat(CliRun.of(environment(), "passkeys", "remove", "--force", "alice", "BBBB")
                        .status())
                .isZero();
        assertThat(CliRun.of(environment(), "passkeys", "list", "alice"))
                .isEqualTo(new CliRun(0, "alice has no passkey.\n", ""));
    }

    @Test
    void a_passkey_whose_id_looks_like_an_option_is_removed() throws Exception {
        for (String id : List.of("-hAA", "-AAA", "--AA", "-V-A")) {
            add("alice", id);

            CliRun run = CliRun.of(environment(), "passkeys", "remove", "--force", "--", "alice", id);

            assertThat(run.status()).as(id + run.err()).isZero();
        }
    }

    @Test
    void credentials_of_an_unknown_user_exit_with_1_until_the_user_is_enrolled() {
        CliRun run = CliRun.of(environment(), "passkeys", "list", "dora");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith("Error: the user dora does not exist. ");

        CliRun.of(environment(), "enroll", "dora");
        assertThat(CliRun.of(environment(), "passkeys", "list", "dora"))
                .isEqualTo(new CliRun(0, "dora has no passkey.\n", ""));
    }

    @Test
    void users_are_listed_shown_and_erased() throws Exception {
        add("alice", "AAAA");
        CliRun.of(environment(), "enroll", "alice");
        CliRun.of(environment(), "enroll", "Bob");

        assertThat(CliRun.of(environment(), "users", "list").out()).isEqualTo("""
                        USER ID  NAME  EMAIL  LOCKED  PASSKEYS  LAST SIGN-IN
                        alice    -     -      no      1         -
                        Bob      -     -      no      0         -
                        """);
        assertThat(CliRun.of(environment(), "users", "list", "no one").out())
                .isEqualTo("There are no users that match no one.\n");
        CliRun page = CliRun.of(environment(), "users", "list", "--limit", "1");
        assertThat(page.err()).contains("--after \"alice\"");
        assertThat(CliRun.of(environment(), "users", "list", "BO").out()).contains("\nBob ");
        CliRun.of(environment(), "groups", "add", "staff", "alice");
        assertThat(CliRun.of(environment(), "users", "show", "alice").out())
                .contains(
                        "groups                   staff\n",
                        "enrollment link pending  yes\n",
                        "last sign-in             never\n")
                .containsPattern("\nPasskeys\nNAME +CREATED +LAST USED +ID\nPasskey  1970-01-01T00:00:00Z  - +AAAA\n")
                .contains("\nSessions\nNone.\n")
                .containsPattern("\nTIME +ACTION +USER +OUTCOME +DETAILS\n" + TIME
                        + "  group_member_added  alice  ok       staff, cli:");
        assertThat(CliRun.of(environment(), "users", "delete", "alice").status())
                .isEqualTo(2);
        assertThat(CliRun.of(environment(), "users", "delete", "alice", "--yes").out())
                .isEqualTo("alice is erased.\n");
        assertThat(CliRun.of(environment(), "users", "show", "alice").status()).isEqualTo(1);
        assertThat(CliRun.of(environment(), "enroll", "Alice").err()).contains("a user who was erased");
        assertThat(CliRun.of(environment(), "audit", "verify").status()).isZero();
    }

    @Test
    void profiles_and_claims_are_changed_and_shown() {
        CliRun.of(environment(), "enroll", "ada");
        CliRun.of(environment(), "groups", "add", "staff", "ada");

        String[] set = {
            "users", "set", "ada", "--name", "Ada Lovelace", "--email", "ada@example.com", "--email-verified"
        };
        assertThat(CliRun.of(environment(), set).out()).isEqualTo("ada: changed name, email, emailVerified.\n");
        assertThat(CliRun.of(environment(), set).out()).isEqualTo("ada is unchanged.\n");
        CliRun.of(
                environment(),
                "users",
                "set",
                "ada",
                "--claim",
                "level=3",
                "--claim",
                "team=a=b",
                "--claim",
                "sites=[\"x\"]");
        assertThat(CliRun.of(environment(), "groups", "set", "staff", "--claim", "building=\"7\"")
                        .out())
                .isEqualTo("The group staff is changed.\n");

        assertThat(CliRun.of(environment(), "users", "show", "ada").out())
                .contains("Ada Lovelace\n", "ada@example.com\n")
                .contains("level=3", "sites=[x]", "team=a=b")
                .containsPattern(TIME + "  profile_changed +ada +ok +claims, cli:");
        assertThat(CliRun.of(environment(), "users", "list", "lovelace").out()).contains("There are no users");
        assertThat(CliRun.of(environment(), "users", "list", "ada l").out()).contains("Ada Lovelace");
        assertThat(CliRun.of(environment(), "groups", "list", "staff").out()).contains("building=7");
        CliRun.of(environment(), "users", "set", "ada", "--name", "", "--remove-claim", "level");
        assertThat(CliRun.of(environment(), "users", "show", "ada").out()).doesNotContain("Lovelace", "level");
        for (String[] invalid : new String[][] {
            {"users", "set", "ada", "--email", "ada"},
            {"users", "set", "ada", "--claim", "sub=x"},
            {"users", "set", "ada", "--claim", "team"},
            {"users", "set", "ada"},
            {"users", "set", "unknown", "--name", "x"},
            {"groups", "set", "staff"},
            {"groups", "set", "staff", "--claim", "groups=x"}
        }) {
            assertThat(CliRun.of(environment(), invalid).status())
                    .as(String.join(" ", invalid))
                    .isNotZero();
        }
    }

    @Test
    void pseudonym_prints_the_field_user_of_the_logs_and_the_subject_of_audit_rows() throws Exception {
        CliRun.of(environment(), "enroll", "alice");
        String alice = CliRun.of(environment(), "pseudonym", "alice").out();

        assertThat(alice)
                .matches("log pseudonym  [A-Za-z0-9_-]{16}\naudit subject  [A-Za-z0-9_-]{22}\n")
                .isEqualTo(CliRun.of(environment(), "pseudonym", "alice").out());
        assertThat(subject("enrollment_issued")).isEqualTo(alice.strip().replaceFirst("(?s).* ", ""));
        assertThat(alice.lines())
                .doesNotContainAnyElementsOf(CliRun.of(environment(), "pseudonym", "bob")
                        .out()
                        .lines()
                        .toList())
                .doesNotContainAnyElementsOf(
                        CliRun.of(with("SESSION_SECRET", "another-secret-of-more-than-32-bytes"), "pseudonym", "alice")
                                .out()
                                .lines()
                                .toList());
    }

    @Test
    void audit_verify_counts_rows_and_finds_a_changed_row() throws Exception {
        CliRun.of(environment(), "enroll", "alice");
        CliRun.of(environment(), "keys", "rotate");
        CliRun sound = CliRun.of(environment(), "audit", "verify");
        assertThat(sound.status()).isZero();
        assertThat(sound.out()).matches("6 rows, 0 faults\nhead [0-9a-f-]{36}:2:[A-Za-z0-9_-]{43}\n");

        execute("UPDATE porchlight_audit SET subject = 'mallory' WHERE action = 'enrollment_issued'");
        CliRun forged = CliRun.of(environment(), "audit", "verify");

        assertThat(forged.status()).isEqualTo(1);
        assertThat(forged.out()).startsWith("6 rows, 1 fault\n");
        assertThat(forged.err()).contains("row 1 does not follow");
    }

    @Test
    void a_wiped_audit_log_is_a_fault_until_it_is_accepted() throws Exception {
        CliRun.of(environment(), "enroll", "alice");
        String verified = CliRun.of(environment(), "audit", "verify").out();
        String head =
                verified.substring(verified.indexOf("head ") + "head ".length()).strip();
        assertThat(CliRun.of(environment(), "audit", "verify", "--expect", head).status())
                .isZero();

        execute("DELETE FROM porchlight_audit");
        execute("DELETE FROM porchlight_audit_head");
        CliRun wiped = CliRun.of(environment(), "audit", "verify", "--expect", head);
        assertThat(wiped.status()).isEqualTo(1);
        assertThat(wiped.err())
                .contains("the log was wiped or replaced by an older copy")
                .contains("the log does not contain the head");

        assertThat(CliRun.of(environment(), "audit", "accept").out()).startsWith("accepted: the log was wiped");
        CliRun accepted = CliRun.of(environment(), "audit", "verify");
        assertThat(accepted.status()).as(accepted.err()).isZero();
    }

    @Test
    void an_unreachable_database_exits_with_1() {
        CliRun run = CliRun.of(with("DATABASE_URL", "jdbc:sqlite:" + directory + "/no/such.db"), "keys", "list");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).startsWith("Error: ");
    }

    @Test
    void doctor_exits_with_0_without_problems() {
        CliRun run = CliRun.of(with("PORT", "0"), "doctor");

        assertThat(run.status()).isZero();
        assertThat(run.out()).contains("  ok       the configuration is valid").endsWith("No problems found.\n");
    }

    @Test
    void doctor_warns_of_a_misspelled_variable() {
        Map<String, String> variables = with("PORT", "0");
        variables.put("PORTT", "8080");
        CliRun run = CliRun.of(variables, "doctor");

        assertThat(run.status()).isZero();
        assertThat(run.out())
                .containsOnlyOnce("  warning  PORTT is not a setting. Did you mean PORT?\n")
                .endsWith("No problems found, 1 warning.\n");
    }

    @Test
    void doctor_checks_only_the_application_that_an_option_names() {
        Map<String, String> variables = with("PORT", "0");
        String[] add = {"clients", "add", "wiki", "--redirect-uri", "https://wiki.example/"};
        assertThat(CliRun.of(variables, add).status()).isZero();

        CliRun run = CliRun.of(variables, "doctor", "--client", "shop");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out())
                .contains("  PROBLEM  there is no application shop\n           fix: ./porchlight clients list")
                .doesNotContain("wiki");
    }

    @Test
    void doctor_exits_with_1_and_a_fix_when_there_is_a_problem() {
        CliRun run = CliRun.of(with("SESSION_SECRET", "short"), "doctor");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out())
                .contains("  PROBLEM  SESSION_SECRET is too short")
                .contains("           fix: export SESSION_SECRET=$(openssl rand -hex 32)")
                .endsWith("1 problem found.\n");
    }

    @Test
    void version_prints_the_release_and_the_jdk() {
        assertThat(CliRun.of(Map.of(), "version").out())
                .matches("porchlight .+ \\(JDK .+\\)\\R")
                .isEqualTo(CliRun.of(Map.of(), "--version").out());
    }

    private Map<String, String> environment() {
        return with("DATA_DIR", directory.toString());
    }

    private Map<String, String> with(String variable, String value) {
        Map<String, String> variables = new HashMap<>(Map.of("DATA_DIR", directory.toString()));
        variables.put(variable, value);
        return variables;
    }

    private void add(String user, String id) throws IOException, InvalidConfigException {
        try (Parts parts = new Parts()) {
            var record = CredentialRecord.of(id, user, JWK, 0, "http://localhost:8080")
                    .withDetails(new CredentialRecord.Details(null, Instant.EPOCH, null));
            var credentials = new SqlCredentialStore(
                    new StorageModule(parts, Config.read(Patience.variables(environment()))).sql());
            credentials.enroll(new UserRecord(user, "aGFuZGxl" + user, user, user));
            assertThat(credentials.add(record, 9)).isEqualTo(Addition.ADDED);
        }
    }

    private static String kid(String rotated) {
        return rotated.split(" ", 5)[3];
    }

    private String subject(String action) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("porchlight.db"));
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT subject FROM porchlight_audit WHERE action = '" + action + "'")) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("porchlight.db"));
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }
}
