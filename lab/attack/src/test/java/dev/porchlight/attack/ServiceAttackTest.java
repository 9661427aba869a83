// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.ReverseProxy;
import dev.porchlight.testkit.files.FastDirectory;
import dev.porchlight.testkit.server.MissingProgramException;
import dev.porchlight.testkit.server.PostgresServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The attack on our own service: nothing gets through, and nothing is left behind. */
@Tag("slow")
class ServiceAttackTest {
    private static final Map<String, String> ADMIN = Map.of("ADMIN_TOKEN", "an admin token for tests");
    private static final String[] CLOSED = {"SIGNUP", "closed", "LOGIN_RESULT", "token"};
    private static final String[] SHORT_LOGIN = {
        "RECENT_LOGIN_SECONDS", "3", "RP_RELATED_ORIGINS", "https://related.example"
    };
    /** Running services by their settings, since a start costs more than most attacks. */
    private static final Map<String, Service> SERVICES = new HashMap<>();

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    private record Service(Instance instance, Path directory) {}

    @AfterAll
    static void stop() {
        SERVICES.values().forEach(service -> service.instance.close());
    }

    @Test
    void nothing_gets_through() throws Exception {
        Service service = service("USER_VERIFICATION", "required", "ALGORITHMS", "ES256,RS256");
        int status = attack(service, Map.of(), "--rounds", "20");

        assertThat(status).as(report()).isZero();
        assertThat(report()).contains("Nothing got through").doesNotContain("could not be removed");
        assertThat(Stream.of("tampered-logins", "tampered-registrations", "replays", "replay-races", "cross-user"))
                .allSatisfy(group -> assertThat(report()).containsPattern("  " + group + " +[1-9]"));
        assertThat(Stream.of("enumeration", "decoy-shapes", "malformed-requests", "malformed-http", "header-tricks"))
                .allSatisfy(group -> assertThat(report()).containsPattern("  " + group + " +[1-9]"));
        assertThat(Stream.of(
                        "forged-tokens",
                        "sessions",
                        "records",
                        "ended-access",
                        "recovery",
                        "recycled-names",
                        "user-ids"))
                .allSatisfy(group -> assertThat(report()).containsPattern("  " + group + " +[1-9]"));
        assertThat(report()).containsPattern("  lock-out +2 +2 +0 +1").containsPattern("  removal-races +[1-9]");
        assertThat(report()).containsPattern("  rsa-signatures +([1-9]\\d) +\\1 +0 +0");
        assertThat(passkeys(service)).isZero();
    }

    /** Compares statuses, headers, members and sizes. Times are reported, but no build depends on them. */
    @Test
    void T42_known_and_unknown_users_get_the_same_responses() throws Exception {
        assertThat(attack(service(SHORT_LOGIN), Map.of(), "--only", "enumeration", "--rounds", "100"))
                .as(report())
                .isZero();

        assertThat(report()).containsPattern("  enumeration +202 +202 +0 +0");
        assertThat(report()).contains("timing of login options, 100 of each", "timing of refused logins, 100 of each");
    }

    /** Later runs find decoys with the shapes of the passkeys that earlier ones registered. */
    @Test
    void T42_a_repeated_attack_reports_nothing() throws Exception {
        Service service = service("OTEL_SERVICE_NAME", "repeated");
        for (int i = 0; i < 5; i++) {
            assertThat(attack(service, Map.of(), "--only", "enumeration,decoy-shapes", "--rounds", "6"))
                    .as(report())
                    .isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"token", "session"})
    void nothing_gets_through_with_closed_sign_up(String result) throws Exception {
        Service service = service("SIGNUP", "closed", "LOGIN_RESULT", result);
        String groups = "replays,cross-user,header-tricks,removal-races,forged-tokens,sessions,ended-access,recovery,"
                + "escalation,user-ids";

        assertThat(attack(service, ADMIN, "--only", groups)).as(report()).isZero();
        assertThat(report())
                .contains("Nothing got through")
                .doesNotContain("could not be removed")
                .containsPattern("  recovery +([1-9]\\d+) +\\1 +0 +0")
                .containsPattern("  escalation +([1-9]\\d+) +\\1 +0 +0");
        assertThat(passkeys(service)).isZero();
    }

    @Test
    void nothing_gets_through_to_clients_with_old_sign_ins_or_in_the_names_of_invited_users() throws Exception {
        String groups = "recycled-names,openid-redirects,openid-codes,openid-cross-site,openid-proofs,"
                + "openid-token-types,openid-bounds,old-sign-ins";

        assertThat(attack(service(SHORT_LOGIN), ADMIN, "--only", groups, "--recent", "3"))
                .as(report())
                .isZero();

        assertThat(report())
                .containsPattern("  recycled-names +7 +7 +0 +0")
                .containsPattern("  openid-redirects +([1-9]\\d\\d) +\\1 +0 +0")
                .containsPattern("  openid-codes +([1-9]\\d+) +\\1 +0 +1")
                .containsPattern("  openid-cross-site +([1-9]\\d+) +\\1 +0 +0")
                .containsPattern("  openid-proofs +([1-9]\\d+) +\\1 +0 +0")
                .containsPattern("  openid-token-types +([1-9]\\d+) +\\1 +0 +0")
                .containsPattern("  openid-bounds +3 +3 +0 +1") // without a rate limit no client is limited
                .containsPattern("  old-sign-ins +3 +3 +0 +0");

        // The JWKS has an RSA key now.
        assertThat(attack(service(SHORT_LOGIN), ADMIN, "--only", "forged-tokens"))
                .as(report())
                .isZero();
        assertThat(report())
                .containsPattern("  forged-tokens +([1-9]\\d+) +\\1 +0 +1")
                .doesNotContain("the rest of the group");
    }

    @Test
    void T42_rare_passkeys_of_a_service_with_many_users_reveal_no_account() throws Exception {
        Service service = service("OTEL_SERVICE_NAME", "many-users");
        try (Connection database = connect(service);
                Statement statement = database.createStatement()) {
            statement.executeUpdate("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"
                    + " INSERT INTO passkey_credential (credential_id, user_id, public_key, origin, transports)"
                    + " SELECT hex(randomblob(16)), 'user' || i, '{}', '', 'internal' FROM n");
        }

        assertThat(attack(service, Map.of(), "--only", "decoy-shapes"))
                .as(report())
                .isZero();
        assertThat(report()).containsPattern("  decoy-shapes +([1-9]) +\\1 +0 +0");
    }

    @Test
    void nothing_gets_through_at_two_instances_on_postgresql() throws Exception {
        String[] shared = {
            "DATABASE_URL", postgres(),
            "SESSION_SECRET", "a session secret that two instances share",
            "RP_ORIGIN", "http://localhost"
        };
        String other = service(Stream.concat(Stream.of("OTEL_SERVICE_NAME", "other"), Stream.of(shared))
                        .toArray(String[]::new))
                .instance
                .address()
                .toString();

        String groups =
                "replays,replay-races,cross-user,enumeration,decoy-shapes,malformed-requests,malformed-http,header-tricks,http2-upgrade,"
                        + "connections,lock-out,bodies,removal-races,forged-tokens,sessions,records,ended-access,escalation,recycled-names,"
                        + "user-ids,openid-redirects,openid-codes,openid-cross-site,openid-proofs,openid-token-types,"
                        + "openid-bounds,tampered-logins,tampered-registrations";

        int status = attack(
                service(shared), ADMIN, other, "--origin", "http://localhost", "--only", groups, "--minutes", "1");

        assertThat(status).as(report()).isZero();
        assertThat(report())
                .contains("Nothing got through")
                .doesNotContain("could not be removed", "the rest of the group");
    }

    /** A proxy speaks HTTP/2 and accepts other versions itself: that is no fault of the service. */
    @Test
    void the_whole_attack_through_a_proxy_reports_nothing() throws Exception {
        String[] shared = {
            "DATABASE_URL", postgres(),
            "SESSION_SECRET", "another session secret that two instances share",
            "RP_ORIGIN", "http://localhost"
        };
        List<Integer> ports = List.of(
                service(shared).instance.port(),
                service(Stream.concat(Stream.of("OTEL_SERVICE_NAME", "behind-a-proxy"), Stream.of(shared))
                                .toArray(String[]::new))
                        .instance
                        .port());
        try (ReverseProxy proxy = installed(() -> ReverseProxy.haproxy(FastDirectory.fresh(), ports, ""))) {
            var out = new PrintStream(printed, true, StandardCharsets.UTF_8);
            int status = Main.run(
                    List.of(
                            proxy.address().toString(),
                            "--origin",
                            "http://localhost",
                            "--rate",
                            "1000",
                            "--minutes",
                            "1",
                            "--rounds",
                            "3"),
                    Map.of(),
                    out,
                    out);

            assertThat(status).as(report()).isZero();
        }
        assertThat(report())
                .contains("Nothing got through", "HTTP/2 by prior knowledge: a proxy in front decides")
                .doesNotContain("could not be removed", "the rest of the group");
    }

    private static String postgres() throws Exception {
        return installed(PostgresServer::freshDatabase);
    }

    /** Where every test must run, a missing server is a failure. */
    private static <T> T installed(Callable<T> start) throws Exception {
        try {
            return start.call();
        } catch (MissingProgramException e) {
            assertThat(System.getenv("CI")).as(e.getMessage()).isNotEqualTo("true");
            return Assumptions.abort(e.getMessage());
        }
    }

    @Test
    void a_service_without_sign_up_cannot_be_attacked() throws Exception {
        assertThat(attack(service(CLOSED), Map.of())).isEqualTo(2);
        assertThat(report()).contains("responded with 403 signup_closed", "SIGNUP=open", "ADMIN_TOKEN");
    }

    /** A service with these settings, which come in pairs of name and value. */
    private static Service service(String... variables) throws IOException, InterruptedException {
        String settings = String.join(" ", variables);
        Service running = SERVICES.get(settings);
        if (running != null) {
            return running;
        }
        Path directory = FastDirectory.fresh();
        Launch launch = Launch.in(directory).patient().jvm("-XX:TieredStopAtLevel=1");
        ADMIN.forEach(launch::with);
        for (int i = 0; i < variables.length; i += 2) {
            launch.with(variables[i], variables[i + 1]);
        }
        Service started = new Service(launch.start(), directory);
        SERVICES.put(settings, started);
        return started;
    }

    private int attack(Service service, Map<String, String> environment, String... more) {
        var address = service.instance.address().toString();
        var all = Stream.concat(Stream.of(address, "--rate", "1000", "--minutes", "60"), Stream.of(more));
        var out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        return Main.run(all.toList(), environment, out, out);
    }

    private String report() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    private static Connection connect(Service service) throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + service.directory.resolve("data/porchlight.db"));
    }

    private static int passkeys(Service service) throws SQLException {
        try (Connection database = connect(service);
                Statement statement = database.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM passkey_credential")) {
            row.next();
            return row.getInt(1);
        }
    }
}
