// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.wire.Der;
import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import java.math.BigInteger;
import java.security.KeyPair;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Tokens that the service did not sign, or not for this. */
final class ForgedTokens implements Attack {
    private static final int WORTH_WAITING_SECONDS = 30;
    /** What stands before the point in the DER of a P-256 public key. */
    private static final byte[] SPKI = Der.sequence(Der.oid("1.2.840.10045.2.1"), Der.oid("1.2.840.10045.3.1.7"));

    @Override
    public String name() {
        return "forged-tokens";
    }

    @Override
    public void run(Scene scene, Score score) {
        Access access = scene.attacker().login();
        String token = access.token();
        if (token == null) {
            score.skip("tokens", "logins give sessions only");
            return;
        }
        if (!show(scene, token).success()) {
            throw new AttackException("an honest token was refused at " + Access.SESSION);
        }
        Jwt honest = Jwt.parse(token);
        unsigned(honest, scene, score);
        publicKeyAsSecret(honest, scene, score);
        strangersKey(honest, scene, score);
        changed(honest, scene, score);
        otherThings(honest, access, scene, score);
        expired(honest, scene, score);
    }

    private static void unsigned(Jwt honest, Scene scene, Score score) {
        for (String none : List.of("none", "None", "NONE", "nOnE", "")) {
            Jwt unsigned = honest.withHeader("alg", none);
            judge("alg '" + none + "'", unsigned.toString(), scene, score);
            judge(
                    "alg '" + none + "' and no signature",
                    unsigned.withSignature(new byte[0]).toString(),
                    scene,
                    score);
        }
    }

    /** The mistake of taking the key that everybody knows for one that nobody does. */
    private static void publicKeyAsSecret(Jwt honest, Scene scene, Score score) {
        List<JsonObject> keys =
                scene.target().get("/.well-known/jwks.json").json().objects("keys");
        if (keys.isEmpty()) {
            score.skip("HS256 with the public key", "there are none at /.well-known/jwks.json");
        }
        for (JsonObject key : keys) {
            byte[] point = Octets.join(Octets.of(4), key.octets("x"), key.octets("y"));
            byte[] der = Der.sequence(SPKI, Der.bits(point));
            String pem = "-----BEGIN PUBLIC KEY-----\n"
                    + Base64.getMimeEncoder(64, Octets.utf8("\n")).encodeToString(der) + "\n-----END PUBLIC KEY-----\n";
            Jwt draft = honest.withHeader("alg", "HS256").withHeader("kid", key.string("kid", ""));
            for (byte[] secret : List.of(
                    der,
                    point,
                    key.octets("x"),
                    Octets.utf8(pem),
                    Octets.utf8(pem.strip()),
                    Octets.utf8(key.toString()))) {
                judge("HS256 with the public key", draft.sealedUnder(secret).toString(), scene, score);
            }
        }
        judge(
                "HS256 with an empty key",
                honest.withHeader("alg", "HS256").sealedUnder(new byte[1]).toString(),
                scene,
                score);
    }

    private static void strangersKey(Jwt honest, Scene scene, Score score) {
        KeyPair pair = Jwt.keyPair();
        JsonObject jwk = Jwt.jwk(pair);
        judge(
                "another key under the same kid",
                honest.signedBy(pair.getPrivate()).toString(),
                scene,
                score);
        for (String kid : List.of("other", "", "../../../../dev/null", "' OR '1'='1")) {
            judge(
                    "another key as kid '" + kid + "'",
                    honest.withHeader("kid", kid).signedBy(pair.getPrivate()).toString(),
                    scene,
                    score);
        }
        judge(
                "another key without a kid",
                honest.withoutHeader("kid").signedBy(pair.getPrivate()).toString(),
                scene,
                score);
        judge(
                "a key in the header",
                honest.withHeader("jwk", jwk).signedBy(pair.getPrivate()).toString(),
                scene,
                score);
        for (String link : List.of("jku", "x5u")) {
            judge(
                    "a link to a key in " + link,
                    honest.withHeader(link, "http://127.0.0.1:9/keys.json")
                            .signedBy(pair.getPrivate())
                            .toString(),
                    scene,
                    score);
        }
        judge("a critical header", honest.withHeader("crit", List.of("exp")).toString(), scene, score);
    }

    private static void changed(Jwt honest, Scene scene, Score score) {
        judge(
                "another user in it",
                honest.withClaim("sub", scene.victim().userId()).toString(),
                scene,
                score);
        judge("a later end", honest.withClaim("exp", 4_102_444_800L).toString(), scene, score);
        byte[] signature = honest.signatureOctets();
        judge(
                "a signature cut short",
                honest.withSignature(Octets.head(signature, signature.length - 1))
                        .toString(),
                scene,
                score);
        judge("no signature", honest.withSignature(new byte[0]).toString(), scene, score);
        judge("a signature of zeros", honest.withSignature(new byte[64]).toString(), scene, score);
        judge(
                "a signature with one bit wrong",
                honest.withSignature(Octets.flip(signature, 0, 0)).toString(),
                scene,
                score);
        judge(
                "a signature and its first half",
                honest.withSignature(Octets.join(signature, Octets.head(signature, 32)))
                        .toString(),
                scene,
                score);
        if (signature.length == 64) {
            byte[] der = Der.sequence(
                    Der.integer(new BigInteger(1, Octets.head(signature, 32))),
                    Der.integer(new BigInteger(1, Octets.tail(signature, 32))));
            judge("the signature in DER", honest.withSignature(der).toString(), scene, score);
        }
        judge("a part too many", honest + ".e30", scene, score);
    }

    private static void otherThings(Jwt honest, Access access, Scene scene, Score score) {
        judge("a megabyte", "a".repeat(1 << 20), scene, score);
        judge("a token with a megabyte behind it", honest + "A".repeat(1 << 20), scene, score);
        judge("nothing", "", scene, score);
        judge("the token twice", honest + "," + honest, scene, score);
        String cookie = access.cookie();
        if (cookie != null) {
            String name = cookie.substring(0, cookie.indexOf('='));
            judge("a session as a token", cookie.substring(name.length() + 1), scene, score);
            score.judge("a token as a session", scene.target().get(Access.SESSION, "Cookie", name + '=' + honest));
        }
        score.judge("a token in the query", scene.target().get(Access.SESSION + "?access_token=" + honest));
    }

    private static void expired(Jwt honest, Scene scene, Score score) {
        JsonObject claims = JsonObject.parse(honest.claims());
        long left = claims.has("exp") ? claims.integer("exp") - System.currentTimeMillis() / 1_000 : Long.MAX_VALUE;
        if (left > WORTH_WAITING_SECONDS) {
            score.skip("an expired token", "it is good for " + left + " seconds, which is too long to wait");
            return;
        }
        try {
            TimeUnit.SECONDS.sleep(Math.max(0, left) + 1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AttackException("interrupted");
        }
        judge("an expired token", honest.toString(), scene, score);
    }

    private static void judge(String what, String token, Scene scene, Score score) {
        score.judge(what, show(scene, token));
    }

    private static Reply show(Scene scene, String token) {
        return scene.target().get(Access.SESSION, "Authorization", "Bearer " + token);
    }
}
