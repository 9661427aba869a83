// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jwt.SignedJWT;
import dev.porchlight.testkit.AttestationFormat;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutations;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The effect of settings that differ from their defaults. */
class SettingsTest {
    private static final String RELATED = "https://app.example";
    private static final String MANAGED = "ada of the office";
    private static final String PORTAL = "https://portal.example";

    private static final String LOGO = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 10'/>";

    private static Service service;

    @BeforeAll
    static void start(@TempDir Path directory) throws IOException {
        Path logo = Files.writeString(directory.resolve("logo"), LOGO);
        Path texts = Files.createDirectory(directory.resolve("texts"));
        Files.writeString(texts.resolve("nl.json"), "{\"notfound.title\":\"Pagina niet gevonden\"}");
        Files.writeString(
                texts.resolve("en.json"),
                "{\"help.lostText\":\"Call extension <4400>.\",\"signin.titel\":\"\\u00e9\"}");
        service = Service.on(
                TestDatabase.SQLITE,
                "RP_NAM",
                "Ada",
                "RP_NAME",
                "Ada's house",
                "RP_LOGO",
                logo.toString(),
                "RP_COLOR",
                "#0F62FE",
                "TEXTS_DIR",
                texts.toString(),
                "SUPPORT_URL",
                "mailto:desk@example.com?subject=a&body=b",
                "PRIVACY_URL",
                "https://example.com/privacy",
                "RP_RELATED_ORIGINS",
                RELATED,
                "RP_TOP_ORIGINS",
                PORTAL,
                "ENTERPRISE_ATTESTATION",
                MANAGED,
                "ATTESTATION_FORMATS",
                "tpm,packed",
                "HINTS",
                "security-key,hybrid",
                "EXTENSIONS",
                "prf, largeBlob, minPinLength, appid=https://example.com/appid.json",
                "CHALLENGE_TTL_MS",
                "60000",
                "TOKEN_TTL_SECONDS",
                "60",
                "SESSION_TTL_SECONDS",
                "600",
                "USER_VERIFICATION",
                "required",
                "ATTESTATION",
                "direct",
                "ALGORITHMS",
                "ES256,RS256",
                "SIGN_COUNT_POLICY",
                "flag",
                "MAX_BODY_BYTES",
                "4096");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void the_pages_have_the_logo_and_the_color() {
        assertThat(service.web().get("/").expect(200).body())
                .contains("<img src=\"/assets/brand.svg\" width=\"144\" height=\"36\" alt=\"\">");
        assertThat(service.web().get("/account").expect(200).body()).contains("width=\"72\" height=\"18\"");
        TestResponse logo = service.web().get("/assets/brand.svg").expect(200);
        assertThat(logo.body()).isEqualTo(LOGO);
        assertThat(logo.header("Content-Type")).isEqualTo("image/svg+xml");
        assertThat(logo.header("Content-Security-Policy"))
                .startsWith("default-src 'none'")
                .endsWith("sandbox");
        assertThat(service.web().get("/assets/porchlight.css").expect(200).body())
                .contains("--primary:#0f62fe;", "--on-primary:#ffffff");
    }

    @Test
    void the_pages_have_own_texts_languages_and_links() {
        for (String path : List.of("/", "/account")) {
            assertThat(service.web().get(path).expect(200).body())
                    .contains("Call extension &lt;4400&gt;.", "href=\"mailto:desk@example.com?subject=a&amp;body=b\"")
                    .contains("href=\"https://example.com/privacy\"");
        }
        TestResponse dutch = service.web()
                .with("Accept-Language", "nl-NL,nl;q=0.9,en;q=0.8", "Accept", "text/html")
                .get("/nowhere")
                .expect(404);
        assertThat(dutch.header("Content-Language")).isEqualTo("nl");
        assertThat(dutch.body())
                .contains(
                        "<html lang=\"nl\" dir=\"ltr\">",
                        "Pagina niet gevonden",
                        "Check the address",
                        "Contact support");
        assertThat(service.logs())
                .contains("TEXTS_DIR: en.json: signin.titel is not the key of a text", "TEXTS_DIR: nl.json");
    }

    @Test
    void a_misspelled_variable_is_logged_once() {
        assertThat(service.logs())
                .containsOnlyOnce("RP_NAM is not a setting. Did you mean RP_NAME?")
                .containsPattern("\"level\":\"warn\".*RP_NAM is not a setting");
    }

    @Test
    void options_contain_the_configured_values() {
        Person person = service.newUser();
        JsonObject creation = service.web()
                .bearer(person.enrollmentToken())
                .get(Person.REGISTER_OPTIONS)
                .expect(200)
                .json();
        JsonObject request = JsonObject.parse(person.loginOptions());

        assertThat(creation.object("rp").string("name")).isEqualTo("Ada's house");
        assertThat(creation.integer("timeout")).isEqualTo(60_000);
        assertThat(creation.objects("pubKeyCredParams"))
                .extracting(it -> it.integer("alg"))
                .containsExactly(-7, -257);
        assertThat(creation.string("attestation")).isEqualTo("direct");
        assertThat(creation.object("authenticatorSelection").string("userVerification"))
                .isEqualTo("required");
        assertThat((List<?>) creation.get("attestationFormats")).isEqualTo(List.of("tpm", "packed"));
        assertThat((List<?>) creation.get("hints")).isEqualTo(List.of("security-key", "hybrid"));
        assertThat(creation.object("extensions").names())
                .containsExactlyInAnyOrder("credProps", "prf", "largeBlob", "minPinLength");
        assertThat(request.integer("timeout")).isEqualTo(60_000);
        assertThat(request.string("userVerification")).isEqualTo("required");
        assertThat((List<?>) request.get("hints")).isEqualTo(List.of("security-key", "hybrid"));
        assertThat(request.object("extensions").string("appid")).isEqualTo("https://example.com/appid.json");
    }

    @Test
    void the_outputs_of_requested_extensions_are_returned() {
        Person person = service.newUser();
        JsonObject outputs =
                person.register(person.enrollmentToken()).expect(201).json().object("extensions");
        assertThat(outputs.object("signed").integer("minPinLength")).isEqualTo(4);
        assertThat(outputs.object("unsigned").names()).containsExactlyInAnyOrder("prfEnabled", "largeBlobSupported");
    }

    @Test
    void enterprise_attestation_is_requested_from_listed_users_only() {
        Person listed = service.person(MANAGED, SoftAuthenticator.securityKey());
        assertThat(service.web()
                        .bearer(listed.enrollmentToken())
                        .get(Person.REGISTER_OPTIONS)
                        .expect(200)
                        .json()
                        .string("attestation"))
                .isEqualTo("enterprise");
    }

    @Test
    void a_page_of_a_top_origin_may_frame_the_ceremony() {
        Person person = service.newUser().enroll();
        String framed = person.browser().framedBy(PORTAL).get(person.loginOptions());
        person.finishLogin(framed).expect(200);
        String foreign = person.browser().framedBy("https://evil.example").get(person.loginOptions());
        person.finishLogin(foreign).expectProblem(401, "authentication_failed");
    }

    @Test
    void an_rsa_passkey_registers_and_signs_in_if_rs256_is_allowed() {
        SoftAuthenticator windows = SoftAuthenticator.builder()
                .algorithms(-257)
                .attestation(AttestationFormat.TPM)
                .build();
        Person person = service.newUser(windows).enroll();
        person.finishLogin(person.assertion()).expect(200);
    }

    /** The testkit's certificate authority is no trust anchor. */
    @Test
    void an_attestation_that_no_anchor_verifies_shows_no_key_in_hardware() throws Exception {
        for (AttestationFormat format : List.of(AttestationFormat.PACKED, AttestationFormat.PACKED_SELF)) {
            SoftAuthenticator attested =
                    SoftAuthenticator.builder().attestation(format).build();
            Person person = service.newUser(attested).enroll();
            assertThat(methods(person)).isEqualTo("[pop, user, mfa] phr");

            service.withSql(sql -> sql.update(
                    "UPDATE passkey_credential SET attestation_trust = 'trusted' WHERE user_id = ?", person.userId()));
            assertThat(methods(person)).as("a model that is unknown").isEqualTo("[pop, user, mfa] phr");
        }
    }

    private static String methods(Person person) throws ParseException {
        var claims = SignedJWT.parse(person.login().expect(200).json().string("token"))
                .getJWTClaimsSet();
        return claims.getStringListClaim("amr") + " " + claims.getStringClaim("acr");
    }

    @Test
    void a_challenge_expires_as_configured() {
        Person person = service.newUser().enroll();
        String inTime = person.assertion();
        service.clock().advance(Duration.ofSeconds(30));
        person.finishLogin(inTime).expect(200);

        String late = person.assertion();
        service.clock().advance(Duration.ofSeconds(61));
        person.finishLogin(late).expectProblem(401, "authentication_failed");
    }

    @Test
    void tokens_and_sessions_expire_as_configured() {
        Person person = service.newUser().enroll();
        TestResponse login = person.login().expect(200);
        Web byToken = service.web().bearer(login.json().string("token"));
        Web bySession = service.web().with("Cookie", Person.cookie(login));

        assertThat((Long) login.json().get("expiresAt") - service.clock().millis())
                .isBetween(30_000L, 60_000L);
        assertThat(login.header("Set-Cookie")).contains("; Max-Age=600;");
        byToken.get("/auth/session").expect(200);
        service.clock().advance(Duration.ofSeconds(121)); // a minute, and a minute of clock skew
        byToken.get("/auth/session").expectProblem(401, "unauthenticated");
        bySession.get("/auth/session").expect(200);
        service.clock().advance(Duration.ofMinutes(8));
        bySession.get("/auth/session").expectProblem(401, "unauthenticated");
    }

    @Test
    void a_stale_sign_count_is_flagged_but_accepted() {
        Person person = service.newUser().enroll();
        person.login().expect(200);

        person.finishLogin(person.browser()
                        .get(
                                person.loginOptions(),
                                Mutations.named(CeremonyType.AUTHENTICATION, "sign-count-unchanged")))
                .expect(200);

        assertThat(service.metrics()).contains("passkey_suspicions_total{reason=\"sign_count\"} 1");
        assertThat(service.logs().lines())
                .anyMatch(line -> line.contains("login ok") && line.contains("\"reason\":\"sign_count\""));
        await().untilAsserted(() -> {
            List<String> outcomes = service.withSql(sql -> sql.query(
                    "SELECT outcome FROM porchlight_audit WHERE " + Service.OF_USER + " AND reason = 'sign_count'",
                    row -> row.getString(1),
                    person.userId()));
            assertThat(outcomes).containsExactly("ok");
        });
    }

    @Test
    void a_login_without_user_verification_is_refused() {
        Person person = service.newUser().enroll();

        person.finishLogin(person.browser()
                        .get(person.loginOptions(), Mutations.named(CeremonyType.AUTHENTICATION, "user-not-verified")))
                .expectProblem(401, "authentication_failed");
    }

    @Test
    void a_related_origin_is_accepted_and_others_are_refused() {
        SoftAuthenticator authenticator = SoftAuthenticator.securityKey();
        Person person = service.newUser(authenticator).enroll();
        SoftBrowser related = new SoftBrowser(RELATED, authenticator)
                .fetching(rpId -> service.web().get("/.well-known/webauthn").body());

        person.finishLogin(related.get(person.loginOptions())).expect(200);
        person.finishLogin(related.get(
                        person.loginOptions(), Mutations.named(CeremonyType.AUTHENTICATION, "origin-of-a-subdomain")))
                .expectProblem(401, "authentication_failed");
    }

    @Test
    void the_body_size_limit_is_configurable() {
        service.web().post(Person.LOGIN_FINISH, " ".repeat(4_096)).expectProblem(400, "malformed_json");
        service.web().post(Person.LOGIN_FINISH, " ".repeat(4_097)).expectProblem(413, "body_too_large");
    }
}
