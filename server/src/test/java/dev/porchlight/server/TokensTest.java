// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.porchlight.server.storage.Database;
import dev.porchlight.server.token.Forger;
import dev.porchlight.server.token.KeyRing;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.jose4j.jwt.consumer.JwtConsumerBuilder;
import org.jose4j.keys.resolvers.JwksVerificationKeyResolver;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The tokens, verified by an independent library, and their signing keys. */
class TokensTest {
    private static Service service;
    private static Database database;
    private static Forger forger;
    private static Person ada;

    @BeforeAll
    static void start() {
        service = Service.on(TestDatabase.SQLITE);
        ada = service.person("ada", SoftAuthenticator.securityKey()).enroll();
        ada.login().expect(200); // creates the signing key
        database = TestDatabase.open(service.databaseUrl(), 1);
        forger = new Forger(database.sql(), Service.SECRET, service.clock());
    }

    @AfterAll
    static void stop() {
        database.close();
        service.close();
    }

    @Test
    void T45_another_library_verifies_a_token_with_the_published_keys() throws Exception {
        Person person = service.newUser().enroll();
        String token = token(person);

        JwtClaims claims = verifiedElsewhere(token);

        assertThat(claims.getSubject()).isEqualTo(person.userId());
        assertThat(claims.getClaimNames())
                .containsExactlyInAnyOrder(
                        "iss", "sub", "aud", "iat", "exp", "jti", "auth_time", "amr", "acr", "credential_id", "grant");
        assertThat(claims.getExpirationTime().getValue() - claims.getIssuedAt().getValue())
                .isEqualTo(900);
        assertThat(claims.getNumericDateClaimValue("auth_time").getValue())
                .isCloseTo(claims.getIssuedAt().getValue(), within(60L));
        assertThat(claims.getStringListClaimValue("amr")).containsExactly("pop", "user", "mfa");
        assertThat(claims.getStringClaimValue("acr")).isEqualTo("phr");
    }

    @Test
    void token_claims_state_user_verification_and_hardware_protection() throws Exception {
        Person unverified = service.newUser(
                        SoftAuthenticator.builder().userVerified(false).build())
                .enroll();
        assertThat(verifiedElsewhere(token(unverified)).getStringListClaimValue("amr"))
                .containsExactly("pop", "user");
        Person synced = service.newUser(SoftAuthenticator.syncedPasskeys()).enroll();
        assertThat(verifiedElsewhere(token(synced)).getStringListClaimValue("amr"))
                .containsExactly("swk", "user", "mfa");
    }

    @Test
    void token_ids_are_unique() throws Exception {
        Person person = service.newUser().enroll();

        assertThat(verifiedElsewhere(token(person)).getJwtId())
                .isNotEqualTo(verifiedElsewhere(token(person)).getJwtId());
    }

    @Test
    void the_published_keys_are_public() {
        JsonObject keys =
                service.web().get("/.well-known/jwks.json").expect(200).json();

        assertThat(keys.objects("keys")).extracting(key -> key.string("alg")).contains("ES256", "RS256");
        assertThat(keys.objects("keys"))
                .allSatisfy(key -> assertThat(key.names())
                        .containsExactlyInAnyOrder(
                                key.string("alg").equals("ES256")
                                        ? new String[] {"kty", "crv", "x", "y", "use", "alg", "kid"}
                                        : new String[] {"kty", "n", "e", "use", "alg", "kid"}));
    }

    @Test
    void a_token_expires() {
        Web user = service.newUser().enroll().byToken();
        service.clock().advance(Duration.ofSeconds(900 + 61));

        user.get("/auth/session").expectProblem(401, "unauthenticated");
    }

    @Test
    void T45_old_tokens_stay_valid_after_a_key_rotation_until_they_expire() throws Exception {
        Person person = service.newUser().enroll();
        String old = token(person);
        String oldKid = forger.kid();
        String newKid = forger.rotate();
        service.clock().advance(Duration.ofSeconds(31)); // until instances notice the new key
        assertThat(kids().subList(0, 2)).contains(newKid).doesNotContain(oldKid);
        assertThat(kids()).contains(oldKid);
        assertThat(kid(token(person))).as("the key set may be cached").isEqualTo(oldKid);
        service.clock().advance(KeyRing.MAX_CACHED.plusMinutes(1));

        String fresh = token(person);

        assertThat(kid(fresh)).isEqualTo(newKid);
        assertThat(verifiedElsewhere(fresh).getSubject()).isEqualTo(person.userId());
        assertThat(verifiedElsewhere(old).getSubject()).isEqualTo(person.userId());
        service.web().bearer(old).get("/auth/session").expect(200);
        service.web().bearer(fresh).get("/auth/session").expect(200);

        service.clock().advance(Duration.ofMinutes(20));
        assertThat(kids()).doesNotContain(oldKid).contains(newKid);
    }

    @Test
    void a_token_signed_with_another_instances_new_key_is_valid_at_once() {
        forger.rotate();
        service.clock().advance(Duration.ofSeconds(2)); // the service may have read the keys just before

        service.web()
                .bearer(forger.sign(header().toString(), claims().toString()))
                .get("/auth/session")
                .expect(200);
    }

    @Test
    void a_service_with_another_secret_cannot_read_the_keys_and_is_not_ready() {
        try (Service other = Service.at(service.databaseUrl(), "SESSION_SECRET", Service.SECRET + "!")) {
            assertThat(other.web().get("/health/ready").expect(503).body()).contains("SESSION_SECRET");
            other.web().get("/.well-known/jwks.json").expectProblem(503, "storage_unavailable");
        }
    }

    private static String token(Person person) {
        return person.login().expect(200).json().string("token");
    }

    private static List<String> kids() {
        return service.web().get("/.well-known/jwks.json").json().objects("keys").stream()
                .map(key -> key.string("kid"))
                .toList();
    }

    private static String kid(String token) {
        byte[] header = Base64.getUrlDecoder().decode(token.substring(0, token.indexOf('.')));
        return JsonObject.parse(new String(header, StandardCharsets.UTF_8)).string("kid");
    }

    private static JwtClaims verifiedElsewhere(String token) throws Exception {
        var keys = new JsonWebKeySet(service.web().get("/.well-known/jwks.json").body());
        return new JwtConsumerBuilder()
                .setVerificationKeyResolver(new JwksVerificationKeyResolver(keys.getJsonWebKeys()))
                .setJwsAlgorithmConstraints(AlgorithmConstraints.ConstraintType.PERMIT, "ES256")
                .setEvaluationTime(NumericDate.fromMilliseconds(service.clock().millis()))
                .setAllowedClockSkewInSeconds(2)
                .setExpectedIssuer("http://localhost")
                .setExpectedAudience("localhost")
                .setRequireSubject()
                .setRequireJwtId()
                .setRequireExpirationTime()
                .build()
                .processToClaims(token);
    }

    private static JsonObject header() {
        return new JsonObject().put("alg", "ES256").put("typ", "JWT").put("kid", forger.kid());
    }

    private static JsonObject claims() {
        long now = service.clock().millis() / 1_000;
        return new JsonObject()
                .put("iss", "http://localhost")
                .put("sub", ada.userId())
                .put("credential_id", ada.credentialId())
                .put("grant", service.grantClaim(ada))
                .put("aud", "localhost")
                .put("iat", now)
                .put("exp", now + 900)
                .put("auth_time", now);
    }
}
