// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.SignedJWT;
import dev.porchlight.server.operator.cli.CliRun;
import dev.porchlight.testkit.AttestationFormat;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftMetadata;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutations;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service with metadata of authenticators, and with a policy for them. */
class MetadataTest {
    private static final UUID MODEL = UUID.fromString("a5a5a5a5-a5a5-a5a5-a5a5-a5a5a5a5a5a5");
    private static final String DENY = "{\"deny\":[\"" + MODEL + "\"]}";

    @TempDir
    private Path directory;

    private Path blob;
    private Path policy;
    private String database;

    @BeforeEach
    void prepare() throws Exception {
        database = TestDatabase.SQLITE.freshUrl();
        blob = directory.resolve("blob.jwt");
        policy = directory.resolve("policy.json");
        byte[] root = SoftAuthenticator.attestationRoot().getEncoded();
        Files.writeString(
                directory.resolve("roots.pem"),
                "-----BEGIN CERTIFICATE-----\n" + Base64.getMimeEncoder().encodeToString(root)
                        + "\n-----END CERTIFICATE-----\n");
        publish(7);
    }

    private void publish(long number, String... statuses) throws IOException {
        publish(number, "hardware", statuses);
    }

    private void publish(long number, String keyProtection, String[] statuses) throws IOException {
        Files.writeString(
                blob,
                new SoftMetadata(number, "2049-01-01")
                        .keyProtection(keyProtection)
                        .model(MODEL, "Soft key", statuses)
                        .sign());
    }

    private Map<String, String> variables(String... more) {
        Map<String, String> variables = new HashMap<>(Map.of(
                "DATA_DIR",
                directory.resolve("data").toString(),
                "METADATA_FILE",
                blob.toString(),
                "ATTESTATION",
                "direct",
                "METADATA_ROOTS",
                directory.resolve("roots.pem").toString()));
        for (int i = 0; i < more.length; i += 2) {
            variables.put(more[i], more[i + 1]);
        }
        variables.values().removeIf(String::isEmpty);
        return variables;
    }

    private Service start(String... more) {
        List<String> pairs = new ArrayList<>();
        variables(more).forEach((name, value) -> pairs.addAll(List.of(name, value)));
        return Service.at(database, pairs.toArray(String[]::new));
    }

    private Service startWith(String rules) throws IOException {
        Files.writeString(policy, rules);
        return start("PASSKEY_POLICY_FILE", policy.toString());
    }

    private static SoftAuthenticator key(AttestationFormat format) {
        return SoftAuthenticator.builder().aaguid(MODEL).attestation(format).build();
    }

    private static Person enrolled(Service service) {
        return service.newUser(key(AttestationFormat.PACKED)).enroll();
    }

    private CliRun check(String... more) {
        return command(variables(more), "passkeys", "policy", "--check", policy.toString(), "--json");
    }

    private CliRun command(String... arguments) {
        return command(variables(), arguments);
    }

    private CliRun command(Map<String, String> variables, String... arguments) {
        Map<String, String> all = new HashMap<>(variables);
        all.putAll(Map.of("DATABASE_URL", database, "SESSION_SECRET", Service.SECRET, "PORT", "0"));
        return CliRun.of(all, arguments);
    }

    @Test
    void users_and_operators_see_the_names_and_icons_of_authenticators() {
        try (Service service = start()) {
            Person person = enrolled(service);

            JsonObject own =
                    person.byToken().get(Person.CREDENTIALS).expect(200).json();
            JsonObject shown = service.admin()
                    .get("/admin/users/" + person.userId().replace(" ", "%20"))
                    .expect(200)
                    .json();

            for (JsonObject listing : List.of(own, shown)) {
                JsonObject model = listing.objects("passkeys").get(0).object("authenticator");
                assertThat(model.string("name")).isEqualTo("Soft key");
                assertThat(model.string("icon")).startsWith("data:image/png;base64,");
            }
            assertThat(service.exported()).contains("metadata_refreshes_total{result=\"ok\"} 1");
            assertThat(command("passkeys", "list", person.userId()).out()).contains("\nSoft key  ");
            assertThat(command("users", "show", person.userId()).out()).contains("\nSoft key  ");
        }
    }

    @Test
    void a_denied_authenticator_is_refused_at_registration() throws Exception {
        try (Service service = startWith(DENY)) {
            Person person = service.newUser(key(AttestationFormat.PACKED));

            person.register(person.enrollmentToken()).expectProblem(400, "authenticator_not_allowed");
        }
    }

    @Test
    void a_policy_that_requires_attestation_requests_it() throws Exception {
        try (Service service = startWith("{\"allow\":[\"" + MODEL + "\"]}")) {
            enrolled(service);
            Person claiming = service.newUser(key(AttestationFormat.NONE));

            claiming.register(claiming.enrollmentToken()).expectProblem(400, "attestation_untrusted");
        }
    }

    @Test
    void a_sign_in_with_a_compromised_authenticator_is_flagged() throws Exception {
        Person person;
        try (Service service = start()) {
            person = enrolled(service);
        }
        publish(8, "REVOKED");
        try (Service service = start()) {
            person.at(service.web()).login().expect(200);

            assertThat(service.exported()).contains("passkey_suspicions_total{reason=\"authenticator_not_allowed\"} 1");
            String audited = service.admin()
                    .get("/admin/audit?userId=" + person.userId().replace(" ", "%20"))
                    .body();
            assertThat(audited).contains("\"authenticator_not_allowed\"");
            assertThat(service.logs()).contains("has the status REVOKED");
        }
    }

    @Test
    void a_sign_in_that_is_flagged_twice_has_both_reasons_in_its_audit_row() throws Exception {
        Person person;
        try (Service service = start()) {
            person = enrolled(service);
            person.login().expect(200);
        }
        publish(8, "REVOKED");
        try (Service service = start("SIGN_COUNT_POLICY", "flag")) {
            Person there = person.at(service.web());
            there.finishLogin(there.browser()
                            .get(
                                    there.loginOptions(),
                                    Mutations.named(CeremonyType.AUTHENTICATION, "sign-count-unchanged")))
                    .expect(200);

            List<String> reasons = service.withSql(sql -> sql.query(
                    "SELECT reason FROM porchlight_audit WHERE action = 'login' ORDER BY at, seq",
                    row -> row.getString(1)));
            assertThat(reasons).containsExactly("", "sign_count authenticator_not_allowed");
        }
    }

    @Test
    void a_sign_in_with_a_compromised_authenticator_is_refused_by_setting() throws Exception {
        Person person;
        try (Service service = start()) {
            person = enrolled(service);
        }
        publish(8, "REVOKED");
        try (Service service = startWith("{\"signIn\":\"refuse\"}")) {
            person.at(service.web()).tryLogin().expectProblem(401, "authentication_failed");

            assertThat(service.exported()).contains("reason=\"authenticator_not_allowed\"");
        }
    }

    @Test
    void only_a_verified_model_that_keeps_keys_in_hardware_and_is_not_compromised_is_a_hardware_key() throws Exception {
        Person person;
        Path exported = directory.resolve("passkeys.jsonl");
        try (Service service = start()) {
            person = service.newUser(key(AttestationFormat.PACKED));
            String first =
                    person.register(person.enrollmentToken()).expect(201).json().string("token");
            assertThat(methods(first)).as("the registration signs in too").isEqualTo("[hwk, user, mfa] phrh");
            assertThat(methods(service, person)).isEqualTo("[hwk, user, mfa] phrh");
            assertThat(methods(
                            service,
                            service.newUser(key(AttestationFormat.PACKED_SELF)).enroll()))
                    .isEqualTo("[pop, user, mfa] phr");
            assertThat(cli(database, "export", exported.toString()).status()).isZero();
        }
        publish(8, "software", new String[0]);
        try (Service service = start()) {
            assertThat(methods(service, person)).isEqualTo("[pop, user, mfa] phr");
        }
        publish(9, "REVOKED");
        try (Service service = startWith("{\"signIn\":\"accept\"}")) {
            assertThat(methods(service, person)).isEqualTo("[pop, user, mfa] phr");
        }
        publish(10);
        String other = TestDatabase.SQLITE.freshUrl();
        assertThat(Files.readString(exported)).contains("\"attestationTrust\":\"trusted\"");
        assertThat(cli(other, "import", exported.toString()).status()).isZero();
        assertThat(cli(other, "export", "-").out()).contains("\"attestationTrust\":\"imported\"");
        assertThat(cli(other, "import", exported.toString()).out()).contains("2 passkeys already existed");
        database = other;
        try (Service service = start()) {
            assertThat(methods(service, person)).as("imported").isEqualTo("[pop, user, mfa] phr");
        }
    }

    private CliRun cli(String database, String... command) {
        String data = directory.resolve("data").toString();
        return CliRun.of(Map.of("DATABASE_URL", database, "DATA_DIR", data, "SESSION_SECRET", Service.SECRET), command);
    }

    private static String methods(Service service, Person person) throws ParseException {
        return methods(person.at(service.web()).login().expect(200).json().string("token"));
    }

    private static String methods(String token) throws ParseException {
        var claims = SignedJWT.parse(token).getJWTClaimsSet();
        return claims.getStringListClaim("amr") + " " + claims.getStringClaim("acr");
    }

    @Test
    void older_metadata_is_refused_after_a_restart() throws Exception {
        start().close();
        publish(6);
        try (Service service = start()) {
            assertThat(service.logs()).contains("6 is older than 7, which is in use");
            assertThat(service.exported()).contains("metadata_refreshes_total{result=\"failed\"} 1");
        }
        assertThat(directory.resolve("data/metadata.jwt")).exists();
    }

    @Test
    void an_unreachable_source_is_a_warning() throws Exception {
        start().close();
        try (Service service = start("METADATA_FILE", "", "METADATA_URL", "http://127.0.0.1:1/")) {
            Person person = enrolled(service);

            person.login().expect(200);
            assertThat(person.byToken().get(Person.CREDENTIALS).expect(200).body())
                    .as("the last good metadata")
                    .contains("Soft key");
        }
    }

    @Test
    void a_check_lists_who_would_be_affected() throws Exception {
        Person person;
        try (Service service = start()) {
            person = enrolled(service);
            service.newUser().enroll();
        }
        Files.writeString(policy, DENY);
        JsonObject denied = JsonObject.parse(check().out());
        assertThat(denied.objects("affected")).hasSize(1);
        assertThat(denied.objects("affected").get(0).string("userId")).isEqualTo(person.userId());
        assertThat(denied.objects("affected").get(0).string("authenticator")).isEqualTo("Soft key");
        assertThat(denied.objects("affected").get(0).string("effect")).isEqualTo("sign-in flagged");

        Files.writeString(policy, "{\"minimumCertification\":\"L1\"}");
        JsonObject uncertified = JsonObject.parse(check().out());
        assertThat(uncertified.objects("affected"))
                .hasSize(2)
                .allMatch(one -> one.string("effect").equals("could not be registered again"));

        Files.writeString(policy, "{\"signIn\":\"refuse\"}");
        assertThat(JsonObject.parse(check().out()).objects("affected")).isEmpty();
        publish(8, "REVOKED");
        assertThat(JsonObject.parse(check().out()).objects("affected").get(0).string("effect"))
                .isEqualTo("sign-in refused");
    }

    @Test
    void a_check_agrees_with_sign_ins_about_a_passkey_without_an_aaguid() throws Exception {
        String zeros = "{\"deny\":[\"00000000-0000-0000-0000-000000000000\"],\"signIn\":\"refuse\"}";
        Person person;
        try (Service service = start()) {
            person = enrolled(service);
            service.withSql(sql -> sql.update("UPDATE passkey_credential SET aaguid = NULL"));
        }
        Files.writeString(policy, zeros);
        assertThat(JsonObject.parse(check().out()).objects("affected").get(0).string("effect"))
                .isEqualTo("could not be registered again");
        try (Service service = startWith(zeros)) {
            person.at(service.web()).login().expect(200);
        }
    }

    @Test
    void a_check_names_what_is_wrong_with_a_policy() throws Exception {
        Files.writeString(policy, "{\"denny\":[]}");
        CliRun run = check();
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("policy.json is not a policy: denny");

        Files.writeString(policy, "{\"minimumCertification\":\"L1\"}");
        assertThat(check("METADATA_FILE", "").err()).contains("there is no metadata");
    }
}
