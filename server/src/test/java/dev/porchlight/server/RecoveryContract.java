// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.SupportCode;
import dev.porchlight.server.operator.cli.CliRun;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Recovery codes: one new passkey for each, and nothing else. */
abstract class RecoveryContract extends ServiceContract {
    private static final String RECOVERY = "/auth/recovery";
    private static final String CODES = RECOVERY + "/codes";
    private static final String TRACE = "5b8977abcdef01230123456789abcdef";

    /** Another instance, on which recoveries wait for two days. */
    private Service slow;

    @BeforeAll
    void startSlow() {
        slow = Service.at(service.clock(), service.databaseUrl(), "RECOVERY_DELAY_HOURS", "48");
    }

    @AfterAll
    void stopSlow() {
        slow.close();
    }

    private Person member() {
        return service.newUser().enroll();
    }

    private static List<String> create(Person person) {
        return codes(person.bySession().post(CODES).expect(201).json());
    }

    @SuppressWarnings("unchecked")
    private static List<String> codes(JsonObject created) {
        return (List<String>) created.get("codes");
    }

    private static TestResponse recover(Web web, String userId, String code) {
        return web.post(
                RECOVERY,
                new JsonObject().put("userId", userId).put("code", code).toString());
    }

    private TestResponse recover(Person person, String code) {
        return recover(service.web(), person.userId(), code);
    }

    private Person withNewDevice(Person person) {
        return service.person(person.userId(), SoftAuthenticator.securityKey());
    }

    private static JsonObject status(Web user) {
        return user.get(RECOVERY).expect(200).json();
    }

    private static String path(Person person) {
        return "/admin/users/" + person.userId().replace(" ", "%20");
    }

    private JsonObject shown(Person person) {
        return service.admin().get(path(person)).expect(200).json();
    }

    private List<String> audit(Person person) {
        return service.withSql(sql -> sql.query(
                "SELECT action, outcome, reason FROM porchlight_audit WHERE " + Service.OF_USER
                        + " AND action LIKE '%recover%' ORDER BY at, seq",
                row -> (row.getString(1) + ' ' + row.getString(2) + ' ' + row.getString(3)).strip(),
                person.userId()));
    }

    @Test
    void ten_codes_are_shown_once_and_stored_as_keyed_hashes() {
        Person person = member();
        Web user = person.bySession();
        assertThat(status(user).integer("remaining")).isZero();
        service.clock().advance(Duration.ofSeconds(1)); // codes of the second of a sign-in may be from before it

        List<String> codes = codes(user.post(CODES).expect(201).json());

        assertThat(codes)
                .hasSize(10)
                .doesNotHaveDuplicates()
                .allMatch(code -> code.matches("([0-9A-HJKMNP-TV-Z]{5}-){4}[0-9A-HJKMNP-TV-Z]{5}"));
        assertThat(status(user).names()).containsExactlyInAnyOrder("available", "remaining", "createdAt");
        assertThat(status(user).integer("remaining")).isEqualTo(10);
        String stored = String.join("\n", service.rows("porchlight_recovery_code"));
        assertThat(stored).contains(person.userId());
        for (String code : codes) {
            assertThat(stored).doesNotContain(code).doesNotContain(code.replace("-", ""));
        }
        assertThat(shown(person).integer("recoveryCodes")).isEqualTo(10);
        assertThat(audit(person)).containsExactly("recovery_codes_created ok");
    }

    @Test
    void a_code_registers_one_new_passkey_and_signs_in() {
        Person person = member();
        String code = create(person).get(0);
        Person again = withNewDevice(person);

        JsonObject issued = recover(
                        person, " " + code.toLowerCase().replace('0', 'o').replace("-", " "))
                .expect(201)
                .json();
        assertThat(issued.names()).containsExactlyInAnyOrder("token", "expiresAt");
        TestResponse registered = again.register(issued.string("token")).expect(201);

        service.web()
                .with("Cookie", Person.cookie(registered))
                .get("/auth/session")
                .expect(200);
        again.login().expect(200);
        service.web()
                .bearer(issued.string("token"))
                .get(Person.REGISTER_OPTIONS)
                .expectProblem(401, "enrollment_used");
        assertThat(shown(person).integer("recoveryCodes")).isEqualTo(9);
        assertThat(audit(person)).containsExactly("recovery_codes_created ok", "recovery_code_used ok");
    }

    @Test
    void the_token_of_a_code_is_valid_only_for_registration_and_for_ten_minutes() {
        Person person = member();
        String token = recover(person, create(person).get(0)).expect(201).json().string("token");
        Web bearer = service.web().bearer(token);
        for (String path : List.of("/auth/session", Person.CREDENTIALS, RECOVERY)) {
            bearer.get(path).expectProblem(401, "unauthenticated");
        }
        bearer.post(CODES).expectProblem(401, "unauthenticated");
        service.clock().advance(Duration.ofMinutes(10));

        bearer.get(Person.REGISTER_OPTIONS).expectProblem(401, "enrollment_recovery_ended");
    }

    @Test
    void every_refusal_is_the_same_and_the_operator_learns_the_cause_by_its_support_code() {
        Person person = member();
        Person without = member();
        Person locked = member();
        Person operator = member();
        String used = create(person).get(0);
        recover(person, used).expect(201);
        String other = create(without).get(0);
        service.admin().delete(path(without) + "/recovery-codes").expect(204);
        String lockedCode = create(locked).get(0);
        service.admin().post(path(locked) + "/lock").expect(204);
        String operatorCode = create(operator).get(0);
        service.withSql(sql -> sql.update(
                "INSERT INTO porchlight_operator (user_id, role, created_at) VALUES (?, 'owner', 0)",
                operator.userId()));

        List<List<String>> attempts = List.of(
                List.of("no such user", used, "recovery_unknown_user"),
                List.of(person.userId(), used, "recovery_code_used"),
                List.of(person.userId(), other, "recovery_wrong_code"),
                List.of(person.userId(), "", "recovery_incomplete"),
                List.of(without.userId(), other, "recovery_no_codes"),
                List.of(locked.userId(), lockedCode, "recovery_locked"),
                List.of(operator.userId(), operatorCode, "recovery_role"));
        List<String> bodies = new ArrayList<>();
        for (int i = 0; i < attempts.size(); i++) {
            List<String> attempt = attempts.get(i);
            String trace = Integer.toHexString(0x5b897700 + (i << 8)) + TRACE.substring(8);
            TestResponse refused = recover(
                            service.web().with("traceparent", "00-" + trace + "-0123456789abcdef-01"),
                            attempt.get(0),
                            attempt.get(1))
                    .expectProblem(401, "recovery_refused");
            bodies.add(refused.json().remove("correlationId").toString());

            JsonObject found = service.admin()
                    .get("/admin/ceremonies/" + SupportCode.of(trace))
                    .expect(200)
                    .json()
                    .objects("ceremonies")
                    .get(0);
            assertThat(found.object("cause").string("code")).isEqualTo(attempt.get(2));
            assertThat(found.string("user")).isEqualTo(attempt.get(0));
        }
        assertThat(bodies).containsOnly(bodies.get(0));
        assertThat(audit(person)).endsWith("recovery_code_used refused recovery_code_used");
        assertThat(audit(without)).as("wrong codes of strangers").noneMatch(row -> row.contains("refused"));
    }

    @Test
    void a_code_of_a_user_with_the_maximum_number_of_passkeys_stays_valid() {
        Person person = member();
        String code = create(person).get(0);
        try (Service one = Service.at(service.clock(), service.databaseUrl(), "MAX_PASSKEYS_PER_USER", "1")) {
            recover(one.web(), person.userId(), code).expectProblem(409, "too_many_credentials");
        }

        assertThat(status(person.bySession()).integer("remaining")).isEqualTo(10);
        recover(person, code).expect(201);
    }

    @Test
    void a_refusal_of_a_stranger_writes_nothing_but_its_support_code() {
        Person person = member();
        create(person);
        List<String> before = service.rows("porchlight_audit");

        for (int i = 0; i < 20; i++) {
            recover(person, "AAAAA-AAAAA-AAAAA-AAAAA-AAAAA").expectProblem(401, "recovery_refused");
        }

        assertThat(service.rows("porchlight_audit")).isEqualTo(before);
        assertThat(recover(person, create(person).get(9)).status())
                .as("never limited by user")
                .isEqualTo(201);
    }

    @Test
    void a_code_is_used_once_by_many_callers_on_two_instances() throws Exception {
        Person person = member();
        String code = create(person).get(0);
        try (Service other = Service.at(service.clock(), service.databaseUrl())) {
            List<Callable<TestResponse>> requests = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Web web = i % 2 == 0 ? service.web() : other.web();
                requests.add(() -> recover(web, person.userId(), code));
            }

            assertThat(Together.run(requests))
                    .extracting(TestResponse::status)
                    .containsOnlyOnce(201)
                    .containsOnly(201, 401);
        }
        assertThat(shown(person).integer("recoveryCodes")).isEqualTo(9);
    }

    @Test
    void a_new_set_replaces_the_old_one_and_ends_the_tokens_of_its_codes() {
        Person person = member();
        List<String> old = create(person);
        String token = recover(person, old.get(0)).expect(201).json().string("token");

        String code = create(person).get(0);

        recover(person, old.get(1)).expectProblem(401, "recovery_refused");
        service.web().bearer(token).get(Person.REGISTER_OPTIONS).expectProblem(401, "enrollment_recovery_ended");
        recover(person, code).expect(201);
    }

    @Test
    void codes_are_created_only_after_a_recent_sign_in() {
        Person person = member();
        Web user = person.bySession();
        service.clock().advance(Duration.ofMinutes(5));

        user.post(CODES).expectProblem(403, "recent_login_required");
        service.web().post(CODES).expectProblem(401, "unauthenticated");
        assertThat(status(user).integer("remaining")).isZero();
    }

    @Test
    void codes_that_a_thief_created_just_before_a_sign_in_are_announced() {
        Person owner = member();
        Web stolen = owner.bySession();
        service.clock().advance(Duration.ofMinutes(1));
        stolen.post(CODES).expect(201);

        assertThat(status(owner.bySession()).flag("newSinceLastLogin")).isTrue();
    }

    @Test
    void codes_that_were_created_with_a_stolen_session_are_announced_at_the_next_sign_in() {
        Person owner = member();
        Web stolen = owner.bySession();
        service.clock().advance(Duration.ofMinutes(1));
        stolen.post(CODES).expect(201);
        service.clock().advance(Duration.ofMinutes(1));

        assertThat(status(stolen).flag("newSinceLastLogin")).isFalse();
        assertThat(status(owner.bySession()).flag("newSinceLastLogin")).isTrue();
        service.clock().advance(Duration.ofMinutes(1));
        assertThat(status(owner.bySession()).flag("newSinceLastLogin")).isFalse();
    }

    @Test
    void a_user_who_creates_codes_in_a_loop_leaves_one_audit_row_in_five_minutes() {
        Person person = member();
        for (int i = 0; i < 4; i++) {
            create(person);
        }

        assertThat(audit(person)).containsExactly("recovery_codes_created ok");
        assertThat(shown(person).integer("recoveryCodes")).isEqualTo(10);
    }

    @Test
    void a_user_with_a_role_has_no_codes() {
        Person person = member();
        String code = create(person).get(0);
        String role = "{\"userId\":\"" + person.userId() + "\",\"role\":\"support\"}";
        service.admin().post("/admin/operators", "{\"userId\":\"" + member().userId() + "\",\"role\":\"owner\"}");
        String token = recover(person, create(person).get(0)).expect(201).json().string("token");
        service.admin().post("/admin/operators", role).expect(204);

        assertThat(shown(person).integer("recoveryCodes")).isZero();
        recover(person, code).expectProblem(401, "recovery_refused");
        service.web().bearer(token).get(Person.REGISTER_OPTIONS).expectProblem(401, "enrollment_recovery_ended");
        Web user = person.bySession();
        user.post(CODES).expectProblem(409, "recovery_unavailable");
        assertThat(status(user).flag("available")).isFalse();
    }

    @Test
    void an_operator_removes_the_codes() {
        Person person = member();
        String code = create(person).get(0);

        service.admin().delete(path(person) + "/recovery-codes").expect(204);
        service.admin().delete(path(person) + "/recovery-codes").expect(204);

        recover(person, code).expectProblem(401, "recovery_refused");
        assertThat(audit(person)).containsExactly("recovery_codes_created ok", "recovery_codes_removed ok");
        create(person);
        for (String result : List.of(" has no recovery codes now.", " had no recovery codes.")) {
            CliRun run = CliRun.of(
                    Map.of("DATABASE_URL", service.databaseUrl(), "SESSION_SECRET", Service.SECRET),
                    "users",
                    "remove-codes",
                    person.userId());
            assertThat(run.out()).as(run.err()).isEqualToIgnoringNewLines(person.userId() + result);
        }
        assertThat(shown(person).integer("recoveryCodes")).isZero();
        service.admin().delete("/admin/users/no-one/recovery-codes").expectProblem(404, "not_found");
    }

    @Test
    void erasing_a_user_removes_the_codes() {
        Person person = member();
        String code = create(person).get(0);
        service.admin().delete(path(person)).expect(204);

        recover(person, code).expectProblem(401, "recovery_refused");
        assertThat(service.rows("porchlight_recovery_code")).noneMatch(row -> row.contains(person.userId()));
    }

    @Test
    void a_recovery_waits_and_is_then_continued_with_the_same_code() {
        Person person = member();
        String code = create(person).get(0);
        long now = service.clock().millis();

        JsonObject waiting =
                recover(slow.web(), person.userId(), code).expect(202).json();
        assertThat(waiting.names()).containsExactly("validFrom");
        assertThat((Long) waiting.get("validFrom") - now - Duration.ofHours(48).toMillis())
                .isBetween(0L, 60_000L);
        service.clock().advance(Duration.ofHours(47));
        recover(slow.web(), person.userId(), code).expect(202);
        service.clock().advance(Duration.ofHours(1));
        String token =
                recover(slow.web(), person.userId(), code).expect(201).json().string("token");

        withNewDevice(person).at(slow.web()).register(token).expect(201);
        assertThat(audit(person))
                .containsExactly("recovery_codes_created ok", "recovery_started ok", "recovery_code_used ok");
    }

    @Test
    void a_recovery_that_waited_must_be_continued_within_a_week() {
        Person person = member();
        String code = create(person).get(0);
        recover(slow.web(), person.userId(), code).expect(202);
        service.clock().advance(Duration.ofDays(9));

        assertThat(status(person.bySession()).has("startedAt")).isFalse();
        recover(slow.web(), person.userId(), code).expect(202);
    }

    @Test
    void any_session_cancels_a_recovery_that_waits_which_removes_all_codes() {
        Person person = member();
        List<String> codes = create(person);
        Web old = slow.web().with("Cookie", Person.cookie(person.login().expect(200)));
        old.delete(RECOVERY).expectProblem(404, "not_found");
        recover(slow.web(), person.userId(), codes.get(0)).expect(202);
        service.clock().advance(Duration.ofHours(1));
        assertThat(status(old).names()).contains("startedAt", "validFrom");

        old.delete(RECOVERY).expect(204);

        assertThat(status(old).names()).doesNotContain("startedAt");
        service.clock().advance(Duration.ofHours(48));
        for (String code : codes) {
            recover(slow.web(), person.userId(), code).expectProblem(401, "recovery_refused");
        }
        assertThat(audit(person)).contains("recovery_canceled ok");
    }

    @Test
    void a_sign_out_or_lock_makes_a_recovery_wait_again() {
        Person person = member();
        String code = create(person).get(0);
        for (List<String> change : List.of(List.of("/sign-out"), List.of("/lock", "/unlock"))) {
            recover(slow.web(), person.userId(), code).expect(202);
            change.forEach(each -> service.admin().post(path(person) + each).expect(204));
            service.clock().advance(Duration.ofHours(48));

            recover(slow.web(), person.userId(), code).expect(202);
        }
    }

    @Test
    void codes_can_be_turned_off() {
        Person person = member();
        String code = create(person).get(0);
        try (Service off = Service.at(service.clock(), service.databaseUrl(), "RECOVERY", "off")) {
            recover(off.web(), person.userId(), code).expectProblem(403, "recovery_off");
            recover(off.web(), "no such user", code).expectProblem(403, "recovery_off");
            Web user = off.web().with("Cookie", Person.cookie(person.login().expect(200)));
            user.post(CODES).expectProblem(403, "recovery_off");
            assertThat(status(user).flag("available")).isFalse();
        }
    }

    @Test
    void a_code_survives_the_rotation_of_the_session_secret() {
        String database = TestDatabase.SQLITE.freshUrl();
        String code;
        Person person;
        try (Service before = Service.at(database)) {
            person = before.newUser().enroll();
            code = create(person).get(0);
        }
        try (Service after = Service.at(
                database, "SESSION_SECRET", Service.RANDOM_SECRET, "SESSION_SECRET_PREVIOUS", Service.SECRET)) {
            recover(after.web(), person.userId(), code).expect(201);
        }
    }
}
