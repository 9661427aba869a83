// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.audit.AuditStore;
import dev.porchlight.server.audit.AuditSubjects;
import dev.porchlight.server.audit.AuditVerification;
import dev.porchlight.server.auth.DerivedKeys;
import dev.porchlight.server.storage.DatabaseUrl;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** User administration over HTTP. */
abstract class UserAdminContract extends ServiceContract {
    @Test
    void users_are_listed_in_pages() {
        for (String name : List.of("page b", "Page A", "page c")) {
            service.person(name, SoftAuthenticator.securityKey()).enroll();
        }
        service.admin().post("/admin/enrollments", "{\"userId\":\"page d\"}").expect(201);

        JsonObject first = get("/admin/users?query=PAGE&limit=3");
        JsonObject second = get("/admin/users?query=page&limit=3&after=" + encoded(first.string("next")));

        assertThat(first.objects("users"))
                .extracting(user -> user.string("userId"))
                .containsExactly("Page A", "page b", "page c");
        assertThat(first.objects("users").get(0).get("passkeyCount")).isEqualTo(1L);
        assertThat(first.objects("users").get(0).names()).contains("lastUsedAt"); // the sign-up was a sign-in
        assertThat(second.objects("users"))
                .extracting(user -> user.string("userId"))
                .containsExactly("page d");
        assertThat(second.names()).doesNotContain("next");
        assertThat(get("/admin/users?query=" + encoded("%")).objects("users")).isEmpty();
        assertThat(get("/admin/users?query=" + encoded("_age a")).objects("users"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "a%2Fb", "a\\b", "a;b?c#d", "a..b/.."})
    void a_user_id_with_special_characters_is_part_of_a_path(String userId) {
        service.person(userId, SoftAuthenticator.securityKey()).enroll();
        String path = "/admin/users/" + encoded(userId);

        service.admin().post(path + "/lock").expect(204);

        assertThat(get(path).string("userId")).isEqualTo(userId);
        assertThat(get(path).get("locked")).isEqualTo(true);
    }

    @Test
    void invalid_pages_are_refused() {
        for (String query : List.of("limit=0", "limit=201", "limit=-1", "limit=x", "query=" + "x".repeat(257))) {
            service.admin().get("/admin/users?" + query).expectProblem(400, "malformed_request");
        }
        for (String query : List.of("limit=0", "after=x", "after=1:2", "after=x:y:z")) {
            service.admin().get("/admin/audit?" + query).expectProblem(400, "malformed_request");
        }
    }

    @Test
    void a_user_is_shown_with_passkeys_and_sessions() {
        Person person = service.newUser().enroll();
        person.login().expect(200);

        JsonObject shown = get(path(person));

        assertThat(shown.string("userId")).isEqualTo(person.userId());
        assertThat(shown.flag("locked")).isFalse();
        assertThat(shown.objects("passkeys"))
                .extracting(passkey -> passkey.string("credentialId"))
                .containsExactly(person.credentialId());
        assertThat(shown.objects("sessions"))
                .hasSize(2)
                .allSatisfy(session -> assertThat(session.names()).doesNotContain("session"));
        service.admin().post(path(person) + "/lock").expect(204);
        assertThat(get(path(person)).flag("locked")).isTrue();
        service.admin().get("/admin/users/unknown").expectProblem(404, "not_found");
        service.admin().get("/admin/users/porchlight%3Ax").expectProblem(400, "invalid_user_id");
    }

    @Test
    void the_groups_of_a_user_are_shown_and_replaced() {
        Person person = service.newUser().enroll();
        service.admin()
                .post("/admin/groups/left/" + encoded(person.userId()).replace("+", "%20"))
                .expect(204);

        service.admin()
                .patch(path(person), "{\"groups\":[\"staff\",\"admins\"]}")
                .expect(204);

        assertThat(get(path(person)).get("groups")).isEqualTo(List.of("admins", "staff"));
        assertThat(get("/admin/groups/left").get("members")).isEqualTo(List.of());
        assertThat(get("/admin/audit?userId=" + encoded(person.userId())).objects("events"))
                .extracting(event -> event.string("action"))
                .startsWith("group_member_removed", "group_member_added", "group_member_added");
        for (String invalid :
                List.of("{}", "{\"groups\":null}", "{\"groups\":[],\"locked\":true}", "{\"groups\":[1]}")) {
            service.admin().patch(path(person), invalid).expect(400);
        }
        service.admin()
                .patch(path(person), "{\"groups\":[\"new\",\"no group!\"]}")
                .expectProblem(400, "invalid_group");
        service.admin().patch("/admin/users/unknown", "{\"groups\":[]}").expectProblem(404, "not_found");
        assertThat(get(path(person)).get("groups")).isEqualTo(List.of("admins", "staff"));
    }

    @Test
    void a_profile_is_changed_shown_found_and_erased() {
        Person person = service.newUser().enroll();

        service.admin()
                .patch(
                        path(person),
                        "{\"name\":\"Zoë Quimby\",\"email\":\"zq@example.com\",\"locale\":\"de-AT\",\"groups\":[\"staff\"],"
                                + "\"claims\":{\"level\":3,\"sites\":[\"Linz\"]}}")
                .expect(204);
        service.admin().patch(path(person), "{\"claims\":{\"level\":null}}").expect(204);

        JsonObject shown = get(path(person));
        assertThat(shown.string("name")).isEqualTo("Zoë Quimby");
        assertThat(shown.flag("emailVerified")).isFalse();
        assertThat(shown.object("claims").names()).containsExactly("sites");
        assertThat(shown.get("groups")).isEqualTo(List.of("staff"));
        for (String query : List.of("ZOË", "zq@")) {
            assertThat(get("/admin/users?query=" + encoded(query)).objects("users"))
                    .singleElement()
                    .satisfies(user -> {
                        assertThat(user.string("userId")).isEqualTo(person.userId());
                        assertThat(user.string("email")).isEqualTo("zq@example.com");
                    });
        }
        for (String invalid :
                List.of("{\"email\":\"zq\"}", "{\"emial\":\"zq@example.com\"}", "{\"claims\":{\"sub\":1}}")) {
            service.admin().patch(path(person), invalid).expectProblem(400, "malformed_request");
        }
        service.admin().patch("/admin/users/unknown", "{\"name\":\"x\"}").expectProblem(404, "not_found");

        service.admin().delete(path(person)).expect(204);

        assertThat(get("/admin/users?query=zq@").objects("users")).isEmpty();
        assertThat(service.<Boolean>withSql(sql -> Service.rows(sql, "porchlight_profile").stream()
                        .anyMatch(row -> row.contains("zq@example.com"))))
                .isFalse();
    }

    @Test
    void an_invitation_has_a_profile() {
        service.admin()
                .post("/admin/enrollments", "{\"userId\":\"invited z\",\"email\":\"no address\"}")
                .expectProblem(400, "malformed_request");
        service.admin().get("/admin/users/invited%20z").expectProblem(404, "not_found");

        service.admin()
                .post("/admin/enrollments", "{\"userId\":\"invited z\",\"email\":\"iz@example.com\",\"locale\":\"fr\"}")
                .expect(201);

        assertThat(get("/admin/users/invited%20z").string("email")).isEqualTo("iz@example.com");
        assertThat(get("/admin/users/invited%20z").string("locale")).isEqualTo("fr");
        Web helpDesk = service.web()
                .bearer(service.admin()
                        .post("/admin/tokens", "{\"name\":\"help-desk\",\"role\":\"support\"}")
                        .expect(201)
                        .json()
                        .string("token"));
        helpDesk.post("/admin/enrollments", "{\"userId\":\"invited z\",\"email\":\"eve@example.com\"}")
                .expectProblem(403, "insufficient_role");
        helpDesk.post("/admin/enrollments", "{\"userId\":\"invited z\"}").expect(201);
        assertThat(get("/admin/users/invited%20z").string("email")).isEqualTo("iz@example.com");
    }

    @Test
    void a_group_has_claims() {
        service.admin()
                .patch("/admin/groups/claimants", "{\"claims\":{\"building\":7}}")
                .expect(204);
        service.admin()
                .patch("/admin/groups/claimants", "{\"claims\":{\"floor\":2}}")
                .expect(204);

        assertThat(get("/admin/groups/claimants").object("claims").names()).containsExactly("building", "floor");
        for (String invalid :
                List.of("{}", "{\"claims\":null}", "{\"claims\":{\"iss\":1}}", "{\"claims\":{},\"x\":1}")) {
            service.admin().patch("/admin/groups/claimants", invalid).expectProblem(400, "malformed_request");
        }
        assertThat(get("/admin/audit?action=group_changed").objects("events")).hasSize(2);
    }

    @Test
    void a_group_survives_its_last_member_until_it_is_removed() {
        Person person = service.newUser().enroll();
        String membership =
                "/admin/groups/survivors/" + encoded(person.userId()).replace("+", "%20");
        service.admin().post(membership).expect(204);
        service.admin().delete("/admin/groups/survivors").expectProblem(409, "group_has_members");

        service.admin().delete(membership).expect(204);

        assertThat(get("/admin/groups").objects("groups"))
                .filteredOn(group -> group.string("group").equals("survivors"))
                .extracting(group -> group.integer("members"))
                .containsExactly(0);
        service.admin().delete("/admin/groups/survivors").expect(204);
        service.admin().delete("/admin/groups/survivors").expectProblem(404, "not_found");
        assertThat(get("/admin/groups").objects("groups"))
                .noneMatch(group -> group.string("group").equals("survivors"));
        assertThat(get("/admin/audit?action=group_removed").objects("events"))
                .anyMatch(event -> event.string("group").equals("survivors")
                        && event.string("operator").startsWith("admin-token:"));
    }

    @Test
    void audit_rows_are_filtered_by_action_and_time() {
        Person person = service.newUser().enroll();
        service.admin().post(path(person) + "/lock").expect(204);
        String audit = "/admin/audit?userId=" + encoded(person.userId());
        Long locked = (Long)
                get(audit + "&action=user_locked").objects("events").get(0).get("at");

        assertThat(get(audit + "&action=user_locked").objects("events")).hasSize(1);
        assertThat(get("/admin/audit?limit=200&action=user_locked").objects("events"))
                .allMatch(event -> event.string("action").equals("user_locked"));
        assertThat(get(audit + "&since=" + locked).objects("events"))
                .allMatch(event -> (Long) event.get("at") >= locked)
                .anyMatch(event -> event.string("action").equals("user_locked"));
        assertThat(get(audit + "&since=" + (locked + 1)).objects("events")).isEmpty();
        for (String invalid : List.of("action=lock", "since=yesterday", "since=-1")) {
            service.admin().get("/admin/audit?" + invalid).expectProblem(400, "malformed_request");
        }
    }

    @Test
    void an_operator_removes_a_passkey_and_the_last_one_only_by_force() {
        Person person = service.newUser().enroll();
        Web session = person.bySession();
        String passkey = path(person) + "/passkeys/" + person.credentialId();

        service.admin().delete(passkey).expectProblem(409, "last_credential");
        session.get("/auth/session").expect(200);
        service.admin().delete(passkey + "?force=true").expect(204);

        session.get("/auth/session").expectProblem(401, "unauthenticated");
        service.admin().delete(passkey).expectProblem(404, "not_found");
    }

    @Test
    void audit_rows_name_the_operators_credential() {
        Person person = service.newUser().enroll();
        service.admin().post(path(person) + "/lock").expect(204);
        service.admin().post(path(person) + "/unlock").expect(204);
        String label = get("/admin/request").string("operator");

        List<JsonObject> events = new ArrayList<>();
        String after = "";
        do {
            JsonObject page = get("/admin/audit?limit=1&userId=" + encoded(person.userId()) + after);
            events.addAll(page.objects("events"));
            after = page.names().contains("next") ? "&after=" + encoded(page.string("next")) : "";
        } while (!after.isEmpty());

        assertThat(label).matches("admin-token:[0-9a-f]{8}");
        assertThat(events)
                .extracting(event -> event.string("action") + ' ' + event.string("reason") + event.string("operator"))
                .containsExactly("user_unlocked " + label, "user_locked " + label, "registration signed_in");
        assertThat(get("/admin/audit?limit=200").objects("events")).hasSizeGreaterThan(3);
    }

    @Test
    void an_erased_user_leaves_no_personal_data_and_the_name_stays_taken() {
        String name = "erased person " + database();
        Person person = service.person(name, SoftAuthenticator.securityKey()).enroll();
        String subject = new AuditSubjects(new DerivedKeys(Service.SECRET).forPurpose("audit chain")).of(name);
        TestResponse login = person.login().expect(200);
        String assertion = person.assertion();
        service.admin()
                .post("/admin/enrollments", "{\"userId\":\"" + name + "\"}")
                .expect(201);
        service.admin()
                .post("/admin/groups/staff/" + encoded(name).replace("+", "%20"))
                .expect(204);
        service.withSql(sql -> sql.update(
                "INSERT INTO porchlight_openid_consent (user_id, client_id, scopes, agreed_at)"
                        + " VALUES (?, 'a client', 'openid', 0)",
                name));
        service.admin().post(path(person) + "/sign-out").expect(204);
        JsonObject tampered = JsonObject.parse(person.assertion());
        tampered.object("response").put("signature", "AAAA");
        String refused =
                person.finishLogin(tampered.toString()).expect(401).json().string("correlationId");

        String unnamed = refusedWithoutAName(person);
        await().until(() -> service.rows("porchlight_failed_ceremony").size() >= 2); // the owner is known then

        await().untilAsserted(() -> {
            service.admin().delete(path(person)).expect(204); // again, if a reader still needed the log
            assertThat(files()).noneMatch(file -> file.contains(name) || file.contains(person.credentialId()));
        });

        for (String code : List.of(refused, unnamed)) {
            service.admin()
                    .post("/console/api/explain", "{\"code\":\"" + code + "\"}")
                    .expectProblem(404, "response_not_kept");
        }
        assertThat(service.admin().get("/console/api/ceremonies").body()).doesNotContain(name);
        person.finishLogin(assertion).expectProblem(401, "authentication_failed"); // names the erased user again
        assertThat(service.rows("porchlight_audit"))
                .filteredOn(row -> row.contains(subject) && row.contains("refused"))
                .anyMatch(row -> row.contains("unknown_credential"));
        Map<String, List<String>> tables = service.withSql(UserAdminContract::tables);
        assertThat(tables.values())
                .allSatisfy(rows ->
                        assertThat(rows).noneMatch(row -> row.contains(name) || row.contains(person.credentialId())));
        assertThat(service.rows("porchlight_audit")).anyMatch(row -> row.contains(subject));
        assertThat(service.rows("porchlight_audit_subject")).noneMatch(row -> row.contains(subject));
        assertThat(faults()).isEmpty();
        assertThat(get("/admin/audit?userId=" + encoded(name)).objects("events"))
                .isEmpty();
        assertThat(get("/admin/audit?userId=" + AuditSubjects.PREFIX + subject).objects("events"))
                .isNotEmpty()
                .allMatch(event -> event.string("userId").equals(AuditSubjects.PREFIX + subject));
        service.web().bearer(login.json().string("token")).get("/auth/session").expectProblem(401, "unauthenticated");
        service.web().with("Cookie", Person.cookie(login)).get("/auth/session").expectProblem(401, "unauthenticated");
        for (String spelling : List.of(name, name.toUpperCase(java.util.Locale.ROOT))) {
            String body = new JsonObject().put("userId", spelling).toString();
            service.web().post("/auth/signup", body).expectProblem(409, "user_exists");
            service.admin().post("/admin/enrollments", body).expectProblem(409, "user_exists");
        }
        service.admin().get(path(person)).expectProblem(404, "not_found");
        service.admin().delete(path(person)).expect(204);
        service.admin().delete("/admin/users/unknown").expectProblem(404, "not_found");
    }

    /** The contents of SQLite's files. */
    private List<String> files() throws IOException {
        List<String> contents = new ArrayList<>();
        for (Path file :
                DatabaseUrl.parse(service.databaseUrl()).file().stream().toList()) {
            contents.add(Files.readString(file, ISO_8859_1));
            contents.add(Files.readString(Path.of(file + "-wal"), ISO_8859_1));
        }
        return contents;
    }

    /** Tries to sign in without a user name, and returns the correlation id of the refusal. */
    private String refusedWithoutAName(Person person) {
        String options = service.web().get(Person.LOGIN_OPTIONS).expect(200).body();
        JsonObject tampered = JsonObject.parse(person.browser().get(options));
        tampered.object("response").put("signature", "AAAA");
        return service.web()
                .post(Person.LOGIN_FINISH, tampered.toString())
                .expect(401)
                .json()
                .string("correlationId");
    }

    /** The rows of all tables of the service, by name. */
    private static Map<String, List<String>> tables(Sql sql) {
        List<String> all = sql.transaction("list the tables", connection -> {
            List<String> names = new ArrayList<>();
            try (ResultSet tables = connection
                    .getMetaData()
                    .getTables(connection.getCatalog(), null, "p%", new String[] {"TABLE", "PARTITIONED TABLE"})) {
                while (tables.next()) {
                    names.add(tables.getString("TABLE_NAME"));
                }
            }
            return names;
        });
        assertThat(all).contains("passkey_credential", "porchlight_audit_subject", "porchlight_openid_consent");
        return all.stream().collect(Collectors.toMap(Function.identity(), table -> Service.rows(sql, table)));
    }

    @Test
    void erasing_a_user_does_not_hide_a_changed_audit_row() {
        try (Service other = Service.on(database())) {
            Person person = other.newUser().enroll();
            person.login().expect(200);
            other.withSql(sql -> sql.update(
                    "UPDATE porchlight_audit SET reason = 'forged' WHERE action = 'login' AND " + Service.OF_USER,
                    person.userId()));

            other.admin().delete(path(person)).expect(204);

            assertThat(faults(other)).singleElement().asString().contains("does not follow");
        }
    }

    @Test
    void logins_beside_an_erasure_leave_no_access() throws Exception {
        Person person = service.newUser(SoftAuthenticator.syncedPasskeys()).enroll();
        List<java.util.concurrent.Callable<TestResponse>> requests = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            String assertion = person.assertion();
            requests.add(() -> person.finishLogin(assertion));
        }
        requests.add(3, () -> service.admin().delete(path(person)));

        List<TestResponse> responses = new ArrayList<>(Together.run(requests));

        responses.remove(3).expect(204);
        for (TestResponse login : responses) {
            if (login.status() == 200) {
                service.web()
                        .with("Cookie", Person.cookie(login))
                        .get("/auth/session")
                        .expectProblem(401, "unauthenticated");
            }
        }
        assertThat(service.rows("passkey_credential")).noneMatch(row -> row.contains(person.userId()));
        assertThat(service.rows("passkey_user")).noneMatch(row -> row.contains(person.userId()));
    }

    @Test
    void users_without_a_role_do_not_administer_users() {
        Person person = service.newUser().enroll();
        for (Web web : List.of(service.web(), person.byToken(), person.bySession())) {
            int status = web.get("/admin/users").status();
            assertThat(status).isIn(401, 403);
            String code = status == 401 ? "unauthenticated" : "no_role";
            web.get(path(person)).expectProblem(status, code);
            web.get("/admin/audit").expectProblem(status, code);
            web.delete(path(person)).expectProblem(status, code);
            web.delete(path(person) + "/passkeys/" + person.credentialId()).expectProblem(status, code);
        }
        person.login().expect(200);
    }

    private JsonObject get(String path) {
        return service.admin().get(path).expect(200).json();
    }

    private List<String> faults() {
        return faults(service);
    }

    private static List<String> faults(Service service) {
        return service.withSql(sql -> new AuditVerification(
                        new AuditStore(sql), new DerivedKeys(Service.SECRET).forPurpose("audit chain"))
                .verify()
                .faults());
    }

    private static String path(Person person) {
        return "/admin/users/" + encoded(person.userId()).replace("+", "%20");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/admin/users?query=%00",
                "/admin/users?after=a%00",
                "/admin/audit?userId=%1b",
                "/admin/audit?after=1:%00:2"
            })
    void control_characters_in_parameters_are_refused(String path) {
        service.admin().get(path).expectProblem(400, "malformed_request");
    }
}
