// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.ECKey;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.token.Forger;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.wire.Der;
import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Forged tokens with one difference each, at every route that accepts a token. The forger
 * has the service's own signing key where that helps, so that a row is refused only for its difference.
 */
class TokenMatrixTest {
    private static Service service;
    private static Database database;
    private static Forger forger;
    private static Person ada;
    private static KeyPair strangers;

    /** A token and the status that it gets. */
    private record Row(String token, Supplier<String> forge, int status) {
        @Override
        public String toString() {
            return token + ": " + status;
        }
    }

    @BeforeAll
    static void start() throws GeneralSecurityException {
        service = Service.on(TestDatabase.SQLITE);
        ada = service.person("ada", SoftAuthenticator.securityKey()).enroll();
        ada.login().expect(200); // creates the signing key
        database = TestDatabase.open(service.databaseUrl(), 1);
        forger = new Forger(database.sql(), Service.SECRET, service.clock());
        strangers = ecKeys("secp256r1");
    }

    @AfterAll
    static void stop() {
        database.close();
        service.close();
    }

    static Stream<Row> algorithms() {
        return Stream.of(
                row("as issued by the service", () -> ours(header(), claims()), 200),
                refused("alg none, unsigned", () -> unsigned("none", "")),
                refused("alg none, with a signature", () -> unsigned("none", "AAAA")),
                refused("alg None", () -> unsigned("None", "")),
                refused("alg NONE, signed by us", () -> ours(header().put("alg", "NONE"), claims())),
                refused("no alg", () -> ours(header().remove("alg"), claims())),
                refused("alg null", () -> ours(header().put("alg", null), claims())),
                refused("alg es256, signed by us", () -> ours(header().put("alg", "es256"), claims())),
                refused("alg ES384, signed by us", () -> ours(header().put("alg", "ES384"), claims())),
                refused("alg ES256K, signed by us", () -> ours(header().put("alg", "ES256K"), claims())),
                refused("alg EdDSA, signed by us", () -> ours(header().put("alg", "EdDSA"), claims())),
                refused("HS256 under the public key in DER", () -> mac(spki())),
                refused("HS256 under the public key in PEM", () -> mac(pem().getBytes(StandardCharsets.US_ASCII))),
                refused(
                        "HS256 under the published JWK",
                        () -> mac(published().toJSONString().getBytes(StandardCharsets.UTF_8))),
                refused(
                        "HS256 under x of the public key",
                        () -> mac(published().getX().decode())),
                refused("HS256 under an empty key", () -> mac(new byte[1])),
                refused("RS256 with the forger's key", TokenMatrixTest::rs256),
                refused("padding after the signature", () -> ours(header(), claims()) + "="),
                refused("two padding characters after the signature", () -> ours(header(), claims()) + "=="),
                refused("stray bits at the end of the signature", () -> strayBits(ours(header(), claims()))));
    }

    /** The last of 86 characters has four bits that are not decoded. */
    private static String strayBits(String token) {
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        int last = alphabet.indexOf(token.charAt(token.length() - 1));
        return token.substring(0, token.length() - 1) + alphabet.charAt(last ^ 1);
    }

    static Stream<Row> keys() {
        String mine = jwk();
        return Stream.of(
                refused("another key under our kid", () -> theirs(header(), claims())),
                refused("another key under its kid", () -> theirs(header().put("kid", "mine"), claims())),
                refused("another key and no kid", () -> theirs(header().remove("kid"), claims())),
                refused("our key and no kid", () -> ours(header().remove("kid"), claims())),
                refused("our key and an empty kid", () -> ours(header().put("kid", ""), claims())),
                refused("our key and a kid that is a number", () -> ours(header().put("kid", 7), claims())),
                refused(
                        "our key and our kid with a trailing space",
                        () -> ours(header().put("kid", forger.kid() + " "), claims())),
                refused("a kid that is a path", () -> theirs(header().put("kid", "../../../dev/null"), claims())),
                refused("a kid that is SQL", () -> theirs(header().put("kid", "' OR '1'='1"), claims())),
                refused("a key in jwk", () -> theirs(header().put("jwk", JsonObject.parse(mine)), claims())),
                refused(
                        "a key in jwk under its kid",
                        () -> theirs(header().put("kid", "mine").put("jwk", JsonObject.parse(mine)), claims())),
                refused(
                        "an address of keys in jku",
                        () -> theirs(header().put("kid", "mine").put("jku", "http://127.0.0.1:9/keys"), claims())),
                refused(
                        "an address of certificates in x5u",
                        () -> theirs(header().put("kid", "mine").put("x5u", "http://127.0.0.1:9/keys"), claims())),
                refused(
                        "a certificate in x5c",
                        () -> theirs(header().put("kid", "mine").put("x5c", List.of("AAAA")), claims())),
                refused(
                        "a critical header",
                        () -> ours(header().put("crit", List.of("exp")).put("exp", 1), claims())),
                refused(
                        "unencoded content (b64)",
                        () -> ours(header().put("crit", List.of("b64")).put("b64", false), claims())));
    }

    static Stream<Row> claimsThatAreWrong() {
        return Stream.of(
                refused("no typ", () -> ours(header().remove("typ"), claims())),
                refused("typ of another kind of token", () -> ours(header().put("typ", "logout+jwt"), claims())),
                refused("another issuer", () -> ours(header(), claims().put("iss", "https://evil.example"))),
                refused(
                        "an issuer that starts with ours",
                        () -> ours(header(), claims().put("iss", "http://localhost.evil.example"))),
                refused("no issuer", () -> ours(header(), claims().remove("iss"))),
                refused("another audience", () -> ours(header(), claims().put("aud", "example.com"))),
                refused("two audiences", () -> ours(header(), claims().put("aud", List.of("localhost", "b")))),
                refused("no audience", () -> ours(header(), claims().remove("aud"))),
                refused("no passkey", () -> ours(header(), claims().remove("credential_id"))),
                refused("an unknown passkey", () -> ours(header(), claims().put("credential_id", "AAAA"))),
                refused("another user's passkey", () -> ours(header(), claims().put("sub", "grace"))),
                refused("no generation", () -> ours(header(), claims().remove("grant"))),
                refused(
                        "another generation",
                        () -> ours(header(), claims().put("grant", service.grantClaim(ada) + "1"))),
                refused("no subject", () -> ours(header(), claims().remove("sub"))),
                refused("expired 7 seconds ago", () -> ours(header(), claims().put("exp", seconds(-7)))),
                row("expired 3 seconds ago", () -> ours(header(), claims().put("exp", seconds(-3))), 200),
                refused("no expiry", () -> ours(header(), claims().remove("exp"))),
                refused("an expiry of another type", () -> ours(header(), claims().put("exp", "never"))),
                refused("issued an hour in the future", () -> ours(header(), claims().put("iat", seconds(3_600)))),
                row("issued 59 seconds in the future", () -> ours(header(), claims().put("iat", seconds(59))), 200),
                refused("no issue time", () -> ours(header(), claims().remove("iat"))),
                refused("valid in an hour", () -> ours(header(), claims().put("nbf", seconds(3_600)))),
                row("valid since an hour ago", () -> ours(header(), claims().put("nbf", seconds(-3_600))), 200),
                refused("no login time", () -> ours(header(), claims().remove("auth_time"))));
    }

    static Stream<Row> texts() {
        return Stream.of(
                refused("a truncated signature", () -> good().substring(0, good().length() - 4)),
                refused("half a signature", () -> signed(Octets.head(signature(), 32))),
                refused("no signature", () -> good().substring(0, good().lastIndexOf('.') + 1)),
                refused("neither signature nor dot", () -> good().substring(0, good().lastIndexOf('.'))),
                refused("a signature of zeros", () -> signed(new byte[64])),
                refused("a signature with one bit off", () -> signed(Octets.flip(signature(), 7, 0))),
                refused("a signature with an extra byte", () -> signed(Octets.join(signature(), new byte[1]))),
                refused(
                        "the signature in DER",
                        () -> signed(Der.sequence(
                                Der.integer(new BigInteger(1, Octets.head(signature(), 32))),
                                Der.integer(new BigInteger(1, Octets.tail(signature(), 32)))))),
                refused("claims that were changed after signing", TokenMatrixTest::changed),
                refused("a fourth part", () -> good() + ".AAAA"),
                refused("a header before the header", () -> "." + good()),
                refused("five parts, as if it were encrypted", () -> good() + ".AAAA.AAAA"),
                refused("two tokens", () -> good() + "," + good()),
                refused("no token at all", () -> "x"),
                refused("nothing", () -> ""),
                refused("six thousand letters", () -> "A".repeat(6_000)),
                row("a megabyte", () -> "A".repeat(1 << 20), 431),
                row("a megabyte after a valid token", () -> good() + "A".repeat(1 << 20), 431));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"algorithms", "keys", "claimsThatAreWrong", "texts"})
    void T45_only_tokens_issued_by_the_service_are_accepted(Row row) {
        String token = row.forge().get();
        for (String path : List.of(
                "/auth/session",
                "/auth/sessions",
                "/auth/profile",
                "/auth/recovery",
                Person.CREDENTIALS,
                Person.REGISTER_OPTIONS)) {
            TestResponse response = service.web().bearer(token).get(path);

            assertThat(response.status()).as("%s: %s", path, response.body()).isEqualTo(row.status());
            if (row.status() == 401) {
                response.expectProblem(401, "unauthenticated");
                assertThat(response.header("WWW-Authenticate")).isEqualTo("Bearer");
            }
        }
    }

    private static Row refused(String token, Supplier<String> made) {
        return row(token, made, 401);
    }

    private static Row row(String token, Supplier<String> made, int status) {
        return new Row(token, made, status);
    }

    private static JsonObject header() {
        return new JsonObject().put("alg", "ES256").put("typ", "JWT").put("kid", forger.kid());
    }

    private static JsonObject claims() {
        return new JsonObject()
                .put("iss", "http://localhost")
                .put("sub", ada.userId())
                .put("credential_id", ada.credentialId())
                .put("grant", service.grantClaim(ada))
                .put("aud", "localhost")
                .put("iat", seconds(0))
                .put("exp", seconds(900))
                .put("jti", "1")
                .put("auth_time", seconds(0));
    }

    private static long seconds(long fromNow) {
        return service.clock().millis() / 1_000 + fromNow;
    }

    private static String good() {
        return ours(header(), claims());
    }

    private static String ours(JsonObject header, JsonObject claims) {
        return forger.sign(header.toString(), claims.toString());
    }

    private static String theirs(JsonObject header, JsonObject claims) {
        return Forger.sign(header.toString(), claims.toString(), strangers.getPrivate());
    }

    private static String unsigned(String alg, String signature) {
        return Forger.content(header().put("alg", alg).toString(), claims().toString()) + '.' + signature;
    }

    private static String mac(byte[] key) {
        return Forger.mac(header().put("alg", "HS256").toString(), claims().toString(), key);
    }

    private static String rs256() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2_048);
            Signature rsa = Signature.getInstance("SHA256withRSA");
            rsa.initSign(generator.generateKeyPair().getPrivate());
            String content = Forger.content(header().put("alg", "RS256").toString(), claims().toString());
            rsa.update(content.getBytes(StandardCharsets.US_ASCII));
            return content + '.' + base64(rsa.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String changed() {
        String token = good();
        return Forger.content(header().toString(), claims().put("sub", "grace").toString())
                + token.substring(token.lastIndexOf('.'));
    }

    private static byte[] signature() {
        return Base64.getUrlDecoder().decode(good().substring(good().lastIndexOf('.') + 1));
    }

    private static String signed(byte[] signature) {
        return Forger.content(header().toString(), claims().toString()) + '.' + base64(signature);
    }

    private static ECKey published() {
        return forger.key().toPublicJWK();
    }

    private static byte[] spki() {
        try {
            return published().toECPublicKey().getEncoded();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String pem() {
        return "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(spki()) + "\n-----END PUBLIC KEY-----\n";
    }

    private static String jwk() {
        return new ECKey.Builder(published().getCurve(), (ECPublicKey) strangers.getPublic())
                .keyID("mine")
                .build()
                .toJSONString();
    }

    private static KeyPair ecKeys(String curve) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec(curve));
        return generator.generateKeyPair();
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
