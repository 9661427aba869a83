// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.passkey.store.SqlUsers;
import dev.porchlight.server.operator.cli.CliRun;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Persons and programs that operate the service, and what remains of them in the audit log. */
@Tag("slow")
class OperatorsTest {
    private static final String[] WITHOUT_ADMIN_TOKEN = {"ADMIN_TOKEN", ""};

    private static Person user(Service service, String userId) {
        return service.person(userId, SoftAuthenticator.securityKey()).enroll();
    }

    private static TestResponse give(Web web, String userId, String role) {
        return web.post("/admin/operators", "{\"userId\":\"" + userId + "\",\"role\":\"" + role + "\"}");
    }

    private static String token(Web web, String name, String role) {
        return web.post("/admin/tokens", "{\"name\":\"" + name + "\",\"role\":\"" + role + "\"}")
                .expect(201)
                .json()
                .string("token");
    }

    private static List<JsonObject> audit(Web web, String query) {
        return web.get("/admin/audit?" + query).expect(200).json().objects("events");
    }

    @Test
    void an_audit_row_names_the_person_until_they_are_erased() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            Person ada = user(service, "ada");
            user(service, "bob");
            give(service.admin(), "ada", "support").expect(204);
            ada.bySession().post("/admin/users/bob/sign-out").expect(204);

            assertThat(audit(service.admin(), "operator=user:ada"))
                    .singleElement()
                    .satisfies(event -> {
                        assertThat(event.string("action")).isEqualTo("user_signed_out");
                        assertThat(event.string("userId")).isEqualTo("bob");
                        assertThat(event.string("operator")).isEqualTo("user:ada");
                    });
            // A correlation id may contain the letters.
            assertThat(service.rows("porchlight_audit"))
                    .isNotEmpty()
                    .noneMatch(row -> row.contains(" ada ") || row.contains("user:ada"));

            service.admin().delete("/admin/users/ada").expect(204);

            String label =
                    audit(service.admin(), "action=user_signed_out").get(0).string("operator");
            assertThat(label).matches("user:porchlight:pseudonym:[\\w-]{22}");
            assertThat(audit(service.admin(), "operator=" + label)).hasSize(1);
            assertThat(audit(service.admin(), "operator=user:ada")).isEmpty();
        }
    }

    @Test
    void the_issuer_of_an_enrollment_link_is_shown_by_name() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            Person ada = user(service, "ada");
            give(service.admin(), "ada", "support").expect(204);
            Web session = ada.bySession();
            String link = session.post("/admin/enrollments", "{\"userId\":\"bob\"}")
                    .expect(201)
                    .json()
                    .string("token");
            service.clock().advance(Duration.ofMinutes(20));
            String id = service.web()
                    .bearer(link)
                    .get(Person.REGISTER_OPTIONS)
                    .expectProblem(401, "enrollment_expired")
                    .json()
                    .string("correlationId");

            assertThat(service.admin()
                            .get("/admin/ceremonies/" + id)
                            .expect(200)
                            .body())
                    .contains("\"by\":\"user:ada\"");
        }
    }

    @Test
    void an_audit_row_names_the_token_and_changes_of_roles_and_tokens_are_rows() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            user(service, "ada");
            Web backend = service.web().bearer(token(service.admin(), "backend", "owner"));
            give(backend, "ada", "auditor").expect(204);
            give(backend, "ada", "auditor").expect(204); // no row
            give(backend, "ada", "support").expect(204);
            backend.delete("/admin/operators/ada").expect(204);
            backend.delete("/admin/tokens/backend").expect(204);

            assertThat(audit(service.admin(), "operator=token:backend"))
                    .extracting(
                            event -> event.string("action") + ' ' + event.string("userId") + ' ' + event.get("changed"))
                    .containsExactly(
                            "api_token_revoked  [backend, owner]",
                            "operator_removed ada [support]",
                            "operator_added ada [support]",
                            "operator_added ada [auditor]");
            assertThat(audit(service.admin(), "action=api_token_issued"))
                    .singleElement()
                    .satisfies(event -> assertThat(event.string("operator")).startsWith("admin-token:"));
        }
    }

    @Test
    void a_local_service_without_an_admin_token_is_open_to_this_machine_until_there_is_an_owner() {
        try (Service service = Service.on(TestDatabase.SQLITE, WITHOUT_ADMIN_TOKEN)) {
            Person ada = user(service, "ada");
            give(service.web(), "ada", "support").expect(204);
            service.web().get("/admin/users").expect(200);
            // A person acts with their own role.
            give(ada.bySession(), "ada", "owner").expectProblem(403, "insufficient_role");

            give(service.web(), "ada", "owner").expect(204);

            service.web().get("/admin/users").expectProblem(401, "unauthenticated");
            service.web().get("/console").expect(200);
            Web owner = ada.bySession();
            owner.get("/admin/users").expect(200);
            owner.delete("/admin/operators/ada?force=true").expect(204);
            service.web().get("/admin/users").expect(200);
        }
    }

    @Test
    void the_last_owner_stays_unless_forced_while_there_is_no_admin_token() {
        try (Service service = Service.on(TestDatabase.SQLITE, WITHOUT_ADMIN_TOKEN)) {
            Person ada = user(service, "ada");
            user(service, "bob");
            give(service.web(), "ada", "owner").expect(204);
            Web owner = ada.bySession();
            give(owner, "bob", "operator").expect(204);

            owner.delete("/admin/operators/ada").expectProblem(409, "last_owner");
            give(owner, "ada", "auditor").expectProblem(409, "last_owner");
            give(owner, "bob", "owner").expect(204);
            give(owner, "ada", "auditor").expect(204);
        }
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            user(service, "ada");
            give(service.admin(), "ada", "owner").expect(204);
            service.admin().delete("/admin/operators/ada").expect(204);
        }
    }

    @Test
    void a_change_of_a_user_gives_and_takes_a_role_by_the_rules_of_operators() {
        try (Service service = Service.on(TestDatabase.SQLITE, WITHOUT_ADMIN_TOKEN)) {
            Person ada = user(service, "ada");
            Person bob = user(service, "bob");
            user(service, "cy");
            give(service.web(), "ada", "owner").expect(204);
            Web owner = ada.bySession();

            change(owner, "bob", "{\"role\":\"operator\",\"name\":\"Bob\"}").expect(204);

            JsonObject shown = owner.get("/admin/users/bob").expect(200).json();
            assertThat(shown.string("role")).isEqualTo("operator");
            assertThat(shown.string("name")).isEqualTo("Bob");
            change(owner, "bob", "{\"role\":\"root\"}").expectProblem(400, "malformed_request");
            change(bob.bySession(), "cy", "{\"role\":\"auditor\",\"name\":\"Cy\"}")
                    .expectProblem(403, "insufficient_role");
            change(owner, "ada", "{\"role\":null,\"name\":\"Ada\"}").expectProblem(409, "last_owner");
            for (String unchanged : List.of("cy", "ada")) {
                assertThat(owner.get("/admin/users/" + unchanged)
                                .expect(200)
                                .json()
                                .names())
                        .doesNotContain("name");
            }
            change(owner, "bob", "{\"role\":null}").expect(204);
            change(owner, "bob", "{\"role\":null}").expect(204); // no row
            assertThat(audit(owner, "userId=bob&operator=user:ada"))
                    .extracting(event -> event.string("action") + ' ' + event.get("changed"))
                    .containsExactly(
                            "operator_removed [operator]", "profile_changed [name]", "operator_added [operator]");

            service.clock().advance(Duration.ofMinutes(6));
            change(owner, "bob", "{\"role\":\"owner\"}").expectProblem(403, "recent_login_required");
            change(owner, "bob", "{\"name\":\"Robert\"}").expectProblem(403, "recent_login_required");
            change(ada.bySession(), "ada?force=true", "{\"role\":null}").expect(204);
            assertThat(service.rows("porchlight_operator")).isEmpty();
        }
    }

    private static TestResponse change(Web web, String userId, String change) {
        return web.patch("/admin/users/" + userId, change);
    }

    @Test
    void concurrent_removals_on_two_instances_leave_an_owner() throws Exception {
        String url = TestDatabase.POSTGRES.freshUrl();
        try (Service one = Service.at(url, WITHOUT_ADMIN_TOKEN);
                Service other = Service.at(url, WITHOUT_ADMIN_TOKEN)) {
            user(one, "ada");
            user(one, "bob");
            String token = token(one.web(), "owner", "owner");
            for (int round = 0; round < 5; round++) {
                give(one.web().bearer(token), "ada", "owner").expect(204);
                give(one.web().bearer(token), "bob", "owner").expect(204);
                List<Integer> statuses = Together.run(List.of(
                        () -> one.web()
                                .bearer(token)
                                .delete("/admin/operators/ada")
                                .status(),
                        () -> other.web()
                                .bearer(token)
                                .delete("/admin/operators/bob")
                                .status()));
                assertThat(statuses).containsExactlyInAnyOrder(204, 409);
            }
        }
    }

    @Test
    void a_role_and_a_token_end_at_once_on_all_instances() {
        String url = TestDatabase.POSTGRES.freshUrl();
        try (Service one = Service.at(url);
                Service other = Service.at(url)) {
            String cookie = Person.cookie(user(one, "ada").login().expect(200));
            give(one.admin(), "ada", "owner").expect(204);
            String token = token(one.admin(), "backend", "owner");
            Web person = other.web().cookie(cookie);
            Web program = other.web().bearer(token);
            person.get("/admin/tokens").expect(200);
            program.get("/admin/tokens").expect(200);

            give(one.admin(), "ada", "support").expect(204);
            person.get("/admin/tokens").expectProblem(403, "insufficient_role");
            one.admin().delete("/admin/operators/ada").expect(204);
            person.get("/admin/users").expectProblem(403, "no_role");
            one.admin().delete("/admin/tokens/backend").expect(204);
            program.get("/admin/tokens").expectProblem(401, "unauthenticated");
        }
    }

    @Test
    void a_service_without_an_admin_token_is_on_for_operators_and_tokens_only() {
        String[] variables = {
            "ADMIN_TOKEN",
            "",
            "RP_ID",
            "example.com",
            "RP_ORIGIN",
            "https://example.com",
            "SIGNUP",
            "open",
            "SESSION_SECRET",
            Service.RANDOM_SECRET
        };
        String url = TestDatabase.SQLITE.freshUrl();
        try (Service service = Service.at(url, variables)) {
            Person ada = user(service, "ada");
            service.web().get("/admin/users").expectProblem(403, "admin_disabled");
            ada.bySession().get("/admin/users").expectProblem(403, "admin_disabled");
            service.web().get("/console").expect(404);

            CliRun added = CliRun.of(
                    Map.of(
                            "DATABASE_URL",
                            url,
                            "RP_ID",
                            "example.com",
                            "RP_ORIGIN",
                            "https://example.com",
                            "SESSION_SECRET",
                            Service.RANDOM_SECRET),
                    "operators",
                    "add",
                    "ada",
                    "--role",
                    "owner");
            assertThat(added.out()).as(added.err()).isEqualTo("ada now has the role owner.\n");

            service.web().get("/admin/users").expectProblem(401, "unauthenticated");
            service.web().get("/console").expect(200);
            Web owner = ada.bySession();
            owner.get("/admin/users").expect(200);
            service.web()
                    .bearer(token(owner, "backend", "auditor"))
                    .get("/admin/users")
                    .expect(200);
        }
    }

    @Test
    void a_management_port_accepts_tokens_and_no_session() {
        try (Service service = Service.on(TestDatabase.SQLITE, "MANAGEMENT_PORT", "0")) {
            Web admin = service.management().bearer(Service.ADMIN_TOKEN);
            Person ada = user(service, "ada");
            String cookie = Person.cookie(ada.login().expect(200));
            give(admin, "ada", "owner").expect(204);

            service.management().cookie(cookie).get("/admin/users").expectProblem(401, "unauthenticated");
            service.management()
                    .cookie(cookie)
                    .post("/admin/tokens", "{\"name\":\"a\",\"role\":\"owner\"}")
                    .expectProblem(401, "unauthenticated");
            service.management()
                    .bearer(token(admin, "backend", "support"))
                    .get("/admin/users")
                    .expect(200);
            service.web().cookie(cookie).get("/admin/users").expectProblem(404, "not_found");
        }
    }

    @Test
    void giving_a_role_ends_the_open_enrollment_links_of_the_user() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            user(service, "ada");
            String support = token(service.admin(), "helpdesk", "support");
            String link = service.web()
                    .bearer(support)
                    .post("/admin/enrollments", "{\"userId\":\"ada\"}")
                    .expect(201)
                    .json()
                    .string("token");

            give(service.admin(), "ada", "owner").expect(204);

            service.web().bearer(link).get(Person.REGISTER_OPTIONS).expectProblem(401, "enrollment_ended");
        }
    }

    /** Otherwise the registration with a link could end after the role was given, unseen by the owner who gave it. */
    @Test
    void giving_a_role_waits_for_a_registration_of_the_user() {
        try (Service service = Service.on(TestDatabase.POSTGRES)) {
            user(service, "ada");
            CompletableFuture<TestResponse> given = service.withSql(sql -> sql.transaction("register", connection -> {
                SqlUsers.lock(connection, "ada");
                var response = CompletableFuture.supplyAsync(() -> give(service.admin(), "ada", "owner"));
                await().until(() -> response.isDone() || TestDatabase.isWaiting(sql));
                assertThat(response).isNotDone();
                return response;
            }));

            given.join().expect(204);
        }
    }

    @Test
    void an_unknown_user_gets_no_role() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            give(service.admin(), "mallory", "owner").expectProblem(404, "not_found");
            Person mallory = user(service, "mallory");
            mallory.bySession().get("/admin/users").expectProblem(403, "no_role");
        }
    }

    @Test
    void wrong_tokens_are_limited_and_a_right_one_never_is() {
        try (Service service = Service.on(TestDatabase.SQLITE, "RATE_LIMIT_PER_MINUTE", "5")) {
            String token = token(service.admin(), "backend", "auditor");
            List<Integer> statuses = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                String guess = "plt_" + Integer.toString(i).repeat(43);
                statuses.add(service.web().bearer(guess).get("/admin/users").status());
            }

            assertThat(statuses).startsWith(401, 401).endsWith(429, 429);
            for (int i = 0; i < 30; i++) {
                service.web().bearer(token).get("/admin/users").expect(200);
            }
        }
    }

    @Test
    void the_database_and_the_list_do_not_have_the_token_and_the_last_use_is_rarely_written() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            String token = token(service.admin(), "backend", "auditor");
            Web program = service.web().bearer(token);
            program.get("/admin/users").expect(200);
            long first = lastUse(service);
            service.clock().advance(Duration.ofMinutes(4));
            program.get("/admin/users").expect(200);

            assertThat(lastUse(service)).isEqualTo(first);
            service.clock().advance(Duration.ofMinutes(2));
            TestResponse list = program.get("/admin/tokens").expect(200);
            assertThat(lastUse(service)).isGreaterThan(first);
            assertThat(list.body()).doesNotContain(token, "plt_");
            assertThat(service.rows("porchlight_api_token"))
                    .singleElement()
                    .satisfies(row -> assertThat(row).doesNotContain(token, token.substring(4)));
        }
    }

    private static long lastUse(Service service) {
        return (Long) service.admin()
                .get("/admin/tokens")
                .expect(200)
                .json()
                .objects("tokens")
                .get(0)
                .get("lastUsedAt");
    }

    @Test
    void an_open_stream_of_the_console_ends_with_the_role() throws Exception {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            Person ada = user(service, "ada");
            give(service.admin(), "ada", "auditor").expect(204);
            HttpRequest request = HttpRequest.newBuilder(service.web().uri("/console/api/stream"))
                    .header("Cookie", Person.cookie(ada.login().expect(200)))
                    .build();
            HttpResponse<Stream<String>> stream = HttpClient.newHttpClient().send(request, BodyHandlers.ofLines());
            assertThat(stream.statusCode()).isEqualTo(200);
            CompletableFuture<Long> ended =
                    CompletableFuture.supplyAsync(() -> stream.body().count());

            service.admin().delete("/admin/operators/ada").expect(204);

            assertThat(ended.get(Patience.SECONDS, TimeUnit.SECONDS)).isNotNegative();
        }
    }

    @Test
    void the_audit_log_is_exported_page_by_page() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            user(service, "ada");
            service.admin()
                    .post("/admin/enrollments", "{\"userId\":\"=cmd\\\"\"}")
                    .expect(201);
            long all = audit(service.admin(), "limit=200").size();

            List<String> lines = new ArrayList<>();
            String next = "/admin/audit?format=jsonl&limit=1";
            while (next != null) {
                TestResponse page = service.admin().get(next).expect(200);
                assertThat(page.header("Content-Type")).isEqualTo("application/jsonl");
                page.body().lines().forEach(lines::add);
                String link = page.header("Link");
                Matcher address = Pattern.compile("<(.*)>; rel=\"next\"").matcher(link == null ? "" : link);
                next = address.matches() ? address.group(1) : null;
            }
            assertThat(lines).hasSize((int) all).doesNotHaveDuplicates().allSatisfy(JsonObject::parse);

            String csv =
                    service.admin().get("/admin/audit?format=csv").expect(200).body();
            assertThat(csv.split("\r\n", -1)).hasSize((int) all + 2);
            assertThat(csv).startsWith("time,action,user,").contains("\"'=cmd\"\"\"");
            service.admin().get("/admin/audit?format=xml").expectProblem(400, "malformed_request");
        }
    }

    @Test
    void the_audit_log_is_filtered_by_time() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            user(service, "ada");
            service.clock().advance(Duration.ofMinutes(1));
            long between = service.clock().millis();
            service.clock().advance(Duration.ofMinutes(1));
            user(service, "bob");

            assertThat(audit(service.admin(), "action=registration&until=" + between))
                    .extracting(event -> event.string("userId"))
                    .containsExactly("ada");
            assertThat(audit(service.admin(), "action=registration&since=" + between))
                    .extracting(event -> event.string("userId"))
                    .containsExactly("bob");
        }
    }
}
