// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.auth.Role;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every route for operators, with every role and every credential. */
@Tag("slow")
class OperatorMatrixTest {
    private static final Pattern ROW = Pattern.compile("\\| `(/\\S*)` \\| ([^|]*) \\| ((?:owner|operator)[^|]*) \\|");

    /** What gives or ends access of others; a stolen session alone cannot do it. */
    private static final Set<String> RECENT = Set.of(
            "POST /admin/enrollments",
            "POST /admin/invitations",
            "PATCH /admin/users/{userId}",
            "DELETE /admin/users/{userId}",
            "POST /admin/users/{userId}/unlock",
            "PATCH /admin/groups/{group}",
            "DELETE /admin/groups/{group}",
            "POST /admin/groups/{group}/{userId}",
            "DELETE /admin/groups/{group}/{userId}",
            "DELETE /admin/users/{userId}/passkeys/{credentialId}",
            "DELETE /admin/users/{userId}/recovery-codes",
            "POST /admin/clients",
            "PATCH /admin/clients/{clientId}",
            "DELETE /admin/clients/{clientId}",
            "POST /admin/clients/{clientId}/rotate-secret",
            "POST /admin/webhooks",
            "PATCH /admin/webhooks/{webhookId}",
            "DELETE /admin/webhooks/{webhookId}",
            "POST /admin/webhooks/{webhookId}/rotate-secret",
            "POST /admin/operators",
            "DELETE /admin/operators/{userId}",
            "POST /admin/tokens",
            "DELETE /admin/tokens/{name}");

    private static Service service;

    /** The documented roles of each operation. */
    private static Map<String, Set<String>> documented;

    @BeforeAll
    static void start() throws Exception {
        service = Service.on(TestDatabase.SQLITE);
        documented = documented();
        assertThat(documented).hasSizeGreaterThan(30).containsKeys(RECENT.toArray(String[]::new));
    }

    /** The operations of operators with their roles, as documented; another test compares them with the routes. */
    static Map<String, Set<String>> documented() throws IOException {
        String page = Files.readString(Path.of(System.getProperty("porchlight.root"), "docs/reference/api.md"));
        Map<String, Set<String>> found = new HashMap<>();
        for (MatchResult row : ROW.matcher(page).results().toList()) {
            for (String method : row.group(2).replace("`", "").split(", ")) {
                found.put(method + ' ' + row.group(1), Set.of(row.group(3).split(", ")));
            }
        }
        return found;
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static Person person(String userId, Role role) {
        Person person = service.person(userId, SoftAuthenticator.securityKey()).enroll();
        give(userId, role);
        return person;
    }

    private static void give(String userId, Role role) {
        service.admin()
                .post("/admin/operators", "{\"userId\":\"" + userId + "\",\"role\":\"" + role.code() + "\"}")
                .expect(204);
    }

    private static String token(String name, Role role, String more) {
        return service.admin()
                .post("/admin/tokens", "{\"name\":\"" + name + "\",\"role\":\"" + role.code() + '"' + more + '}')
                .expect(201)
                .json()
                .string("token");
    }

    /** Sends a request that changes nothing: for objects that do not exist, or without content. */
    private static TestResponse send(Web web, String operation) {
        String[] route = operation.split(" ", 2);
        String path = route[1].replaceAll("\\{\\w+}", "none");
        boolean body = Set.of("POST", "PATCH").contains(route[0]);
        String method = path.endsWith("/stream") ? "HEAD" : route[0]; // its body does not end
        Web sender = body ? web.with("Content-Type", "application/json") : web;
        return sender.send(method, path, body ? "{}" : null);
    }

    private static void expectByRole(Web web, Role role) {
        documented.forEach((operation, roles) -> {
            TestResponse response = send(web, operation);
            if (roles.contains(role.code())) {
                assertThat(response.status())
                        .as("%s of %s: %s", operation, role, response.body())
                        .isIn(200, 201, 204, 400, 404, 409);
            } else if (!operation.endsWith("/stream")) {
                response.expectProblem(403, "insufficient_role");
            }
        });
    }

    private static void expectAll(Web web, int status, String code) {
        for (String operation : documented.keySet()) {
            TestResponse response = send(web, operation);
            assertThat(response.status())
                    .as("%s: %s", operation, response.body())
                    .isEqualTo(status);
            if (!operation.endsWith("/stream")) {
                response.expectProblem(status, code);
            }
        }
    }

    @Test
    void another_test_ends_the_access_of_an_operator_during_every_change() {
        assertThat(documented.keySet())
                .filteredOn(operation -> !operation.startsWith("GET "))
                .containsExactlyInAnyOrderElementsOf(OperatorChangesTest.BODIES.keySet());
    }

    @ParameterizedTest
    @EnumSource
    void a_person_may_do_what_is_documented_for_the_role(Role role) {
        expectByRole(person("person-" + role.code(), role).bySession(), role);
    }

    @ParameterizedTest
    @EnumSource
    void a_named_token_may_do_what_is_documented_for_the_role(Role role) {
        expectByRole(service.web().bearer(token("token-" + role.code(), role, "")), role);
    }

    @Test
    void the_admin_token_may_do_everything() {
        expectByRole(service.admin(), Role.OWNER);
    }

    static Stream<String> invalidTokens() {
        return Stream.of("plt_" + "A".repeat(43), "plt_", "another admin token for tests", "null");
    }

    @ParameterizedTest
    @MethodSource
    void invalidTokens(String token) {
        expectAll(service.web().bearer(token), 401, "unauthenticated");
    }

    @Test
    void nothing_is_open_without_a_credential() {
        expectAll(service.web(), 401, "unauthenticated");
    }

    @Test
    void an_expired_or_revoked_token_is_invalid() {
        long soon = service.clock().millis() + 60_000;
        String expiring = token("expiring", Role.OWNER, ",\"expiresAt\":" + soon);
        String revoked = token("revoked", Role.OWNER, "");
        service.web().bearer(expiring).get("/admin/users").expect(200);
        service.web().bearer(revoked).get("/admin/users").expect(200);

        service.clock().advance(Duration.ofMinutes(1));
        service.admin().delete("/admin/tokens/revoked").expect(204);

        expectAll(service.web().bearer(expiring), 401, "unauthenticated");
        expectAll(service.web().bearer(revoked), 401, "unauthenticated");
        // Another token of the same name does not revive it.
        token("revoked", Role.OWNER, "");
        service.web().bearer(revoked).get("/admin/users").expectProblem(401, "unauthenticated");
    }

    @Test
    void an_owners_access_token_does_not_count_beside_their_session() {
        Person owner = person("bearer", Role.OWNER);
        String session = Person.cookie(owner.login().expect(200));

        expectAll(owner.byToken(), 401, "unauthenticated");
        expectAll(owner.byToken().cookie(session), 401, "unauthenticated");
    }

    @Test
    void a_locked_owner_has_no_access() {
        Person owner = person("locked", Role.OWNER);
        Web session = owner.bySession();
        service.admin().post("/admin/users/locked/lock").expect(204);

        expectAll(session, 401, "unauthenticated");
    }

    @Test
    void an_owner_whose_passkey_was_removed_has_no_access() {
        Person owner = person("removed", Role.OWNER);
        Web session = owner.bySession();
        service.admin()
                .delete("/admin/users/removed/passkeys/" + owner.credentialId() + "?force=true")
                .expect(204);

        expectAll(session, 401, "unauthenticated");
    }

    @Test
    void an_owner_who_was_erased_has_no_access() {
        Person owner = person("erased", Role.OWNER);
        Web session = owner.bySession();
        service.admin().delete("/admin/users/erased").expect(204);

        expectAll(session, 401, "unauthenticated");
        assertThat(service.rows("porchlight_operator")).noneMatch(row -> row.startsWith("erased "));
    }

    @Test
    void an_owner_who_lost_the_role_has_no_access_and_stays_signed_in() {
        Person owner = person("demoted", Role.OWNER);
        Web session = owner.bySession();
        give("demoted", Role.SUPPORT);
        expectByRole(session, Role.SUPPORT);
        service.admin().delete("/admin/operators/demoted").expect(204);

        expectAll(session, 403, "no_role");
        session.get("/auth/session").expect(200);
    }

    @Test
    void a_person_without_a_role_has_no_access() {
        Person person =
                service.person("without-role", SoftAuthenticator.securityKey()).enroll();

        expectAll(person.bySession(), 403, "no_role");
    }

    @Test
    void another_site_cannot_use_the_session_of_an_owner() {
        Web owner = person("visitor", Role.OWNER).bySession();

        expectAll(owner.with("Sec-Fetch-Site", "cross-site"), 403, "cross_site");
        expectAll(owner.with("Sec-Fetch-Site", "same-site"), 403, "cross_site");
        expectAll(owner.with("Origin", "https://evil.example"), 403, "cross_site");
        // Another port of this host shares its cookies.
        expectAll(owner.with("Origin", "http://localhost:1"), 403, "cross_site");
    }

    @Test
    void a_session_without_a_recent_sign_in_cannot_give_or_end_access() {
        Person owner = person("patient", Role.OWNER);
        Web session = owner.bySession();
        String token = token("patient", Role.OWNER, "");
        service.clock().advance(Duration.ofMinutes(6));

        var refused = new TreeSet<String>();
        var others = new ArrayList<Integer>();
        for (String operation : documented.keySet()) {
            TestResponse response = send(session, operation);
            if (response.status() == 403) {
                response.expectProblem(403, "recent_login_required");
                refused.add(operation);
            }
            others.add(send(service.web().bearer(token), operation).status());
        }
        assertThat(refused).containsExactlyInAnyOrderElementsOf(RECENT);
        assertThat(others).doesNotContain(401, 403);
        expectByRole(owner.bySession(), Role.OWNER);
    }

    @ParameterizedTest
    @EnumSource(names = {"OPERATOR", "SUPPORT"})
    void only_an_owner_changes_a_user_with_a_role(Role role) {
        person("protected-" + role.code(), Role.AUDITOR);
        Web web = service.web().bearer(token("against-" + role.code(), role, ""));
        List<String> changes = documented.entrySet().stream()
                .filter(entry -> entry.getValue().contains(role.code()))
                .map(Map.Entry::getKey)
                .filter(operation -> operation.contains("{userId}") && !operation.startsWith("GET "))
                .toList();
        assertThat(changes).isNotEmpty();

        for (String operation : changes) {
            send(web, operation.replace("{userId}", "protected-" + role.code())).expectProblem(403, "protected_user");
        }
        web.post("/admin/enrollments", "{\"userId\":\"protected-" + role.code() + "\"}")
                .expectProblem(403, "protected_user");
        service.admin()
                .post("/admin/enrollments", "{\"userId\":\"protected-" + role.code() + "\"}")
                .expect(201);
    }
}
