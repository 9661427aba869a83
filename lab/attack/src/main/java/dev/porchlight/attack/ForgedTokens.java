// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.key.CredentialKey;
import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.wire.Der;
import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** Tokens that the service did not sign, or signed for another purpose. */
final class ForgedTokens extends Attack {
    private static final int WORTH_WAITING_SECONDS = 30;
    /** The algorithm identifiers in the DER of public keys. */
    private static final byte[] P256 = Der.sequence(Der.oid("1.2.840.10045.2.1"), Der.oid("1.2.840.10045.3.1.7"));

    private static final byte[] RSA = Der.sequence(Der.oid("1.2.840.113549.1.1.1"), Der.none());

    @Override
    void attempt() {
        GrantedAccess access = attacker.login();
        String token = access.token();
        if (token == null) {
            skip("tokens", "logins return only sessions");
            return;
        }
        if (!show(token).ok()) {
            throw new AttackException("an honest token was refused at " + Person.SESSION);
        }
        Jwt honest = Jwt.parse(token);
        BiConsumer<String, Object> attempt = (what, forged) -> judge(what, show(forged));
        unsigned(honest, attempt);
        publicKeyAsSecret(honest, attempt);
        strangersKey(honest, attempt);
        changed(honest, victim.userId(), attempt);
        otherThings(honest, access, attempt);
        expired(honest, attempt);
    }

    private static void unsigned(Jwt honest, BiConsumer<String, Object> attempt) {
        for (String none : List.of("none", "None", "NONE", "nOnE", "")) {
            Jwt unsigned = honest.withHeader("alg", none);
            attempt.accept("alg '" + none + "'", unsigned);
            attempt.accept("alg '" + none + "' and no signature", unsigned.withSignature(new byte[0]));
        }
    }

    /** Algorithm confusion: the public key used as an HMAC secret. */
    private void publicKeyAsSecret(Jwt honest, BiConsumer<String, Object> attempt) {
        List<JsonObject> keys = target.get("/.well-known/jwks.json").jsonIfAny().objects("keys");
        if (keys.isEmpty()) {
            skip("HS256 with the public key", "no keys at /.well-known/jwks.json");
        }
        for (JsonObject key : keys) {
            boolean rsa = key.has("n");
            if (!rsa && !key.has("y")) {
                continue; // neither RSA nor EC
            }
            byte[] first = key.octets(rsa ? "n" : "x");
            byte[] bits = rsa
                    ? Der.sequence(number(first), number(key.octets("e")))
                    : Octets.join(Octets.of(4), first, key.octets("y"));
            byte[] der = Der.sequence(rsa ? RSA : P256, Der.bits(bits));
            String pem = "-----BEGIN PUBLIC KEY-----\n"
                    + Base64.getMimeEncoder(64, Octets.utf8("\n")).encodeToString(der) + "\n-----END PUBLIC KEY-----\n";
            Jwt draft = honest.withHeader("alg", "HS256").withHeader("kid", key.string("kid", ""));
            for (byte[] secret : List.of(
                    der, bits, first, Octets.utf8(pem), Octets.utf8(pem.strip()), Octets.utf8(key.toString()))) {
                attempt.accept("HS256 with the public key", draft.sealedUnder(secret));
            }
        }
        attempt.accept(
                "HS256 with an empty key", honest.withHeader("alg", "HS256").sealedUnder(new byte[1]));
    }

    private static byte[] number(byte[] unsigned) {
        return Der.integer(new BigInteger(1, unsigned));
    }

    private static void strangersKey(Jwt honest, BiConsumer<String, Object> attempt) {
        CredentialKey stranger = KeyAlgorithm.ES256.generate(new SecureRandom());
        attempt.accept("another key under the same kid", honest.signedBy(stranger));
        for (String kid : List.of("other", "", "../../../../dev/null", "' OR '1'='1")) {
            attempt.accept(
                    "another key as kid '" + kid + "'",
                    honest.withHeader("kid", kid).signedBy(stranger));
        }
        attempt.accept("another key without a kid", honest.withoutHeader("kid").signedBy(stranger));
        attempt.accept(
                "a key in the header",
                honest.withHeader("jwk", Jwt.jwk(stranger)).signedBy(stranger));
        for (String link : List.of("jku", "x5u")) {
            attempt.accept(
                    "a link to a key in " + link,
                    honest.withHeader(link, "http://127.0.0.1:9/keys.json").signedBy(stranger));
        }
        attempt.accept("a critical header", honest.withHeader("crit", List.of("exp")));
    }

    private static void changed(Jwt honest, String victim, BiConsumer<String, Object> attempt) {
        attempt.accept("another user as the subject", honest.withClaim("sub", victim));
        attempt.accept("a later expiry", honest.withClaim("exp", 4_102_444_800L));
        byte[] signature = honest.signatureOctets();
        attempt.accept("a signature cut short", honest.withSignature(Octets.head(signature, signature.length - 1)));
        attempt.accept("no signature", honest.withSignature(new byte[0]));
        attempt.accept("a signature of zeros", honest.withSignature(new byte[64]));
        attempt.accept("a signature with one bit wrong", honest.withSignature(Octets.flip(signature, 0, 0)));
        attempt.accept(
                "a signature and its first half",
                honest.withSignature(Octets.join(signature, Octets.head(signature, 32))));
        if (signature.length == 64) {
            byte[] der = Der.sequence(
                    Der.integer(new BigInteger(1, Octets.head(signature, 32))),
                    Der.integer(new BigInteger(1, Octets.tail(signature, 32))));
            attempt.accept("the signature in DER", honest.withSignature(der));
        }
        attempt.accept("a fourth part", honest + ".e30");
    }

    private void otherThings(Jwt honest, GrantedAccess access, BiConsumer<String, Object> attempt) {
        attempt.accept("a megabyte", "a".repeat(1 << 20));
        attempt.accept("a token followed by a megabyte", honest + "A".repeat(1 << 20));
        attempt.accept("nothing", "");
        attempt.accept("the token twice", honest + "," + honest);
        String cookie = access.cookie();
        if (cookie != null) {
            String name = cookie.substring(0, cookie.indexOf('='));
            attempt.accept("a session as a token", cookie.substring(name.length() + 1));
            judge("a token as a session", target.get(Person.SESSION, "Cookie", name + '=' + honest));
        }
        judge("a token in the query", target.get(Person.SESSION + "?access_token=" + honest));
    }

    private void expired(Jwt honest, BiConsumer<String, Object> attempt) {
        JsonObject claims = JsonObject.parse(honest.claims());
        long left = claims.has("exp") ? claims.integer("exp") - System.currentTimeMillis() / 1_000 : Long.MAX_VALUE;
        if (left > WORTH_WAITING_SECONDS) {
            skip("an expired token", "it is valid for " + left + " more seconds, too long to wait");
            return;
        }
        Target.sleep(TimeUnit.SECONDS.toNanos(Math.max(0, left) + 1));
        attempt.accept("an expired token", honest);
    }

    private TestResponse show(Object token) {
        return target.get(Person.SESSION, bearer(token.toString()));
    }
}
