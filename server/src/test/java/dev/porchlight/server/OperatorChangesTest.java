// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.store.SqlUsers;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.UserDirectory;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Changes by operators whose access ends while their request runs, on two instances of PostgreSQL. */
@Tag("slow")
class OperatorChangesTest {
    private static final String ORIGIN = "http://localhost";
    private static final String ISSUE = "POST /admin/tokens";

    /** A body for each operation that changes something; the parameters of the path are in {@link #path}. */
    static final Map<String, String> BODIES = Map.ofEntries(
            Map.entry("POST /admin/enrollments", "{\"userId\":\"new\"}"),
            Map.entry("POST /admin/invitations", "{\"csv\":\"userId,email\\nnew,new@a.example\"}"),
            Map.entry("POST /admin/mail/test", "{\"to\":\"new@a.example\"}"),
            Map.entry("POST /admin/mail/deliveries/{deliveryId}/redeliver", ""),
            Map.entry("PATCH /admin/users/{userId}", "{\"name\":\"Robert\"}"),
            Map.entry("DELETE /admin/users/{userId}", ""),
            Map.entry("POST /admin/users/{userId}/lock", ""),
            Map.entry("POST /admin/users/{userId}/unlock", ""),
            Map.entry("POST /admin/users/{userId}/sign-out", ""),
            Map.entry("DELETE /admin/users/{userId}/passkeys/{credentialId}", ""),
            Map.entry("DELETE /admin/users/{userId}/recovery-codes", ""),
            Map.entry("POST /admin/groups/{group}/{userId}", ""),
            Map.entry("DELETE /admin/groups/{group}/{userId}", ""),
            Map.entry("PATCH /admin/groups/{group}", "{\"claims\":{\"floor\":1}}"),
            Map.entry("DELETE /admin/groups/{group}", ""),
            Map.entry("POST /admin/operators", "{\"userId\":\"bob\",\"role\":\"owner\"}"),
            Map.entry("DELETE /admin/operators/{userId}", ""),
            Map.entry(ISSUE, "{\"name\":\"new\",\"role\":\"owner\"}"),
            Map.entry("DELETE /admin/tokens/{name}", ""),
            Map.entry(
                    "POST /admin/clients",
                    "{\"clientId\":\"new\",\"redirectUris\":[\"https://new.example/callback\"]}"),
            Map.entry("PATCH /admin/clients/{clientId}", "{\"name\":\"Renamed\"}"),
            Map.entry("DELETE /admin/clients/{clientId}", ""),
            Map.entry("POST /admin/clients/{clientId}/rotate-secret", ""),
            Map.entry("POST /admin/webhooks", "{\"url\":\"https://new.example/events\"}"),
            Map.entry("PATCH /admin/webhooks/{webhookId}", "{\"enabled\":false}"),
            Map.entry("DELETE /admin/webhooks/{webhookId}", ""),
            Map.entry("POST /admin/webhooks/{webhookId}/rotate-secret", ""),
            Map.entry("POST /admin/webhooks/{webhookId}/test", ""),
            Map.entry("POST /admin/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver", ""),
            Map.entry("POST /console/api/explain", "{\"response\":\"{}\"}"));

    /** The tables that these operations change. */
    private static final List<String> TABLES = List.of(
            "passkey_user",
            "passkey_credential",
            "porchlight_name",
            "porchlight_user_access",
            "porchlight_profile",
            "porchlight_group",
            "porchlight_group_member",
            "porchlight_client",
            "porchlight_webhook",
            "porchlight_operator",
            "porchlight_api_token",
            "porchlight_recovery_code",
            "porchlight_audit");

    private static final AtomicInteger NAMES = new AtomicInteger();

    private static Service one;
    private static Service other;
    private static Database database;
    private static Sql sql;
    private static Person bob;
    private static String webhook;

    @BeforeAll
    static void start() {
        String url = TestDatabase.POSTGRES.freshUrl();
        String[] mail = {"SMTP_URL", "smtp://127.0.0.1:1", "MAIL_FROM", "porchlight@b.example"};
        one = Service.at(url, mail);
        other = Service.at(url, mail);
        database = TestDatabase.open(url, 4);
        sql = database.sql();
        bob = person("bob");
        bob.bySession().post("/auth/recovery/codes").expect(201);
        Web admin = one.admin();
        admin.post("/admin/groups/staff/bob").expect(204);
        admin.patch("/admin/groups/empty", "{\"claims\":{\"floor\":2}}").expect(204);
        admin.post("/admin/clients", "{\"clientId\":\"app\",\"redirectUris\":[\"https://app.example/callback\"]}")
                .expect(201);
        webhook = admin.post(
                        "/admin/webhooks", "{\"url\":\"https://app.example/events\",\"events\":[\"passkey.removed\"]}")
                .expect(201)
                .json()
                .string("webhookId");
        token("old", "auditor");
        person("carol");
        give("carol", "support");
    }

    @AfterAll
    static void stop() {
        database.close();
        one.close();
        other.close();
    }

    private static Person person(String userId) {
        return one.person(userId, SoftAuthenticator.securityKey()).enroll();
    }

    private static void give(String userId, String role) {
        one.admin()
                .post("/admin/operators", "{\"userId\":\"" + userId + "\",\"role\":\"" + role + "\"}")
                .expect(204);
    }

    /** A new user with the role. */
    private static Person owner() {
        Person owner = person("owner" + NAMES.incrementAndGet());
        give(owner.userId(), "owner");
        return owner;
    }

    private static String token(String name, String role) {
        return one.admin()
                .post("/admin/tokens", "{\"name\":\"" + name + "\",\"role\":\"" + role + "\"}")
                .expect(201)
                .json()
                .string("token");
    }

    private static String path(String template) {
        return template.replace("{userId}", template.contains("/operators/") ? "carol" : "bob")
                .replace("{credentialId}", bob.credentialId() + "?force=true")
                .replace("{group}", template.contains("{userId}") ? "staff" : "empty")
                .replace("{name}", "old")
                .replace("{clientId}", "app")
                .replace("{webhookId}", webhook)
                .replace("{deliveryId}", "none");
    }

    private static TestResponse send(Web web, String operation) {
        String[] route = operation.split(" ", 2);
        String body = BODIES.get(operation);
        Web sender = body.isEmpty() ? web : web.with("Content-Type", "application/json");
        return sender.send(route[0], path(route[1]), body.isEmpty() ? null : body);
    }

    /** Sends a request while another transaction ends the access of its operator, which it must wait for. */
    private static TestResponse beside(SqlChange end, Supplier<TestResponse> request) {
        return sql.transaction("end an access", connection -> {
                    end.run(connection);
                    var response = CompletableFuture.supplyAsync(request);
                    await().until(() -> response.isDone() || TestDatabase.isWaiting(sql));
                    assertThat(response).isNotDone();
                    return response;
                })
                .join();
    }

    @FunctionalInterface
    private interface SqlChange {
        void run(Connection connection) throws SQLException;
    }

    private static List<String> rows() {
        return Service.rows(sql, TABLES).stream()
                .filter(row -> !row.matches("(owner|program|user)\\d.*")) // whose access ends
                .toList();
    }

    static Iterable<String> operations() {
        return new TreeSet<>(BODIES.keySet());
    }

    @ParameterizedTest
    @MethodSource("operations")
    void nothing_is_changed_by_a_person_who_loses_the_role_in_the_meantime(String operation) {
        Person owner = owner();
        Web session = owner.bySession();
        List<String> before = rows();

        TestResponse response = beside(Ending.ROLE_REMOVED.of(owner), () -> send(session, operation));

        response.expectProblem(403, "no_role");
        assertThat(rows()).isEqualTo(before);
    }

    @ParameterizedTest
    @MethodSource("operations")
    void nothing_is_changed_by_a_program_whose_token_is_revoked_in_the_meantime(String operation) {
        String name = "program" + NAMES.incrementAndGet();
        Web program = one.web().bearer(token(name, "owner"));
        List<String> before = rows();

        TestResponse response = beside(
                connection -> Sql.update(connection, "DELETE FROM porchlight_api_token WHERE name = ?", name),
                () -> send(program, operation));

        response.expectProblem(401, "unauthenticated");
        assertThat(rows()).isEqualTo(before);
    }

    /** What ends the access of a person, with the statements of the other instance. */
    private enum Ending {
        ROLE_REMOVED(403, "no_role", "DELETE FROM porchlight_operator WHERE user_id = ?"),
        ROLE_CHANGED(403, "insufficient_role", "UPDATE porchlight_operator SET role = 'operator' WHERE user_id = ?"),
        LOCKED(
                401,
                "unauthenticated",
                "INSERT INTO porchlight_user_access (user_id, locked_at, generation) VALUES (?, 1, 1)"),
        PASSKEY_REMOVED(401, "unauthenticated", "DELETE FROM passkey_credential WHERE user_id = ?"),
        ERASED(401, "unauthenticated", "") {
            @Override
            void run(Connection connection, String userId) throws SQLException {
                UserDirectory.delete(connection, userId);
            }
        },
        SESSION_ENDED(401, "unauthenticated", "") {
            @Override
            void run(Connection connection, String userId) throws SQLException {
                Sql.update(connection, "DELETE FROM porchlight_sealed_entry WHERE kind = 'session'");
            }
        };

        private final int status;
        private final String code;
        private final String statement;

        Ending(int status, String code, String statement) {
            this.status = status;
            this.code = code;
            this.statement = statement;
        }

        void run(Connection connection, String userId) throws SQLException {
            SqlUsers.lock(connection, userId);
            Sql.update(connection, statement, userId);
        }

        SqlChange of(Person person) {
            return connection -> run(connection, person.userId());
        }
    }

    @ParameterizedTest
    @EnumSource
    void no_token_is_issued_by_a_person_whose_access_ends_in_the_meantime(Ending ending) {
        Person owner = owner();
        Web session = owner.bySession();

        TestResponse response = beside(ending.of(owner), () -> send(session, ISSUE));

        response.expectProblem(ending.status, ending.code);
        assertThat(sql.query("SELECT 1 FROM porchlight_api_token WHERE name = 'new'", row -> 1))
                .isEmpty();
    }

    @Test
    void no_link_is_issued_for_a_user_who_gets_a_role_in_the_meantime() {
        Web support = one.web().bearer(token("support", "support"));
        person("dave");

        TestResponse response = beside(
                connection -> {
                    SqlUsers.lock(connection, "dave");
                    Sql.update(
                            connection,
                            "INSERT INTO porchlight_operator (user_id, role, created_at) VALUES ('dave', 'auditor', 1)");
                },
                () -> support.post("/admin/enrollments", "{\"userId\":\"dave\"}"));

        response.expectProblem(403, "protected_user");
    }

    /** The rows of the audit log show the order: an instance writes the time while its transaction holds the locks. */
    @Test
    void an_operator_whose_access_ended_at_one_instance_issues_no_token_at_the_other() throws Exception {
        for (int round = 0; round < 60; round++) {
            boolean locks = round % 2 == 0;
            Person owner = owner();
            Web there = other.web().cookie(Person.cookie(owner.login().expect(200)));

            List<TestResponse> responses = Together.run(List.of(
                    () -> there.post("/admin/tokens", "{\"name\":\"race\",\"role\":\"auditor\"}"),
                    () -> locks
                            ? one.admin().post("/admin/users/" + owner.userId() + "/lock")
                            : one.admin().delete("/admin/operators/" + owner.userId())));

            responses.get(1).expect(204);
            TestResponse issued = responses.get(0);
            assertThat(issued.status()).as(issued.body()).isIn(201, 401, 403);
            if (issued.status() == 201) {
                assertThat(last("api_token_issued"))
                        .as("round %s", round)
                        .isLessThanOrEqualTo(last(locks ? "user_locked" : "operator_removed"));
                one.admin().delete("/admin/tokens/race").expect(204);
            }
        }
    }

    @Test
    void no_link_adds_a_passkey_after_its_user_got_a_role() throws Exception {
        for (int round = 0; round < 30; round++) {
            Person user = person("user" + NAMES.incrementAndGet());
            Web link = other.web()
                    .bearer(one.admin()
                            .post("/admin/enrollments", "{\"userId\":\"" + user.userId() + "\"}")
                            .expect(201)
                            .json()
                            .string("token"));
            Person attacker =
                    new Person(other.web(), user.userId(), new SoftBrowser(ORIGIN, SoftAuthenticator.securityKey()));
            TestResponse options = link.get(Person.REGISTER_OPTIONS).expect(200);

            List<TestResponse> responses = Together.run(List.of(
                    () -> attacker.finishRegistration(link, options),
                    () -> one.admin()
                            .post("/admin/operators", "{\"userId\":\"" + user.userId() + "\",\"role\":\"owner\"}")));

            responses.get(1).expect(204);
            if (responses.get(0).status() == 201) {
                assertThat(last("registration")).as("round %s", round).isLessThanOrEqualTo(last("operator_added"));
            } else {
                assertThat(responses.get(0).status()).isIn(400, 401);
            }
        }
    }

    /** When the last event with this action was. */
    private static long last(String action) {
        return sql.query("SELECT MAX(at) FROM porchlight_audit WHERE action = ?", row -> row.getLong(1), action)
                .get(0);
    }

    @Test
    void of_two_owners_who_end_each_others_access_at_two_instances_one_is_refused() throws Exception {
        for (int round = 0; round < 30; round++) {
            Person first = owner();
            Person second = owner();
            Web here = first.bySession();
            Web there = other.web().cookie(Person.cookie(second.login().expect(200)));

            List<TestResponse> responses = Together.run(List.of(
                    () -> here.delete("/admin/operators/" + second.userId()),
                    () -> there.post("/admin/users/" + first.userId() + "/lock")));

            assertThat(responses)
                    .filteredOn(response -> response.status() == 204)
                    .hasSize(1);
            assertThat(responses)
                    .filteredOn(response -> response.status() != 204)
                    .allMatch(response -> response.status() == 401 || response.status() == 403);
        }
    }
}
