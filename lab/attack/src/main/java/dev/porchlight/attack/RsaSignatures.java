// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.tamper.Mutations;
import dev.porchlight.testkit.wire.Der;
import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.interfaces.RSAPrivateKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.PSSParameterSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import javax.crypto.Cipher;

/** Logins with an RSA passkey whose signature, message or padding is wrong. */
final class RsaSignatures extends Attack {
    /** The testkit's mutations of signatures, except those of ECDSA's numbers and their encoding. */
    private static final List<String> MUTATIONS = List.of(
            "signed-by-another-key",
            "signed-with-an-rsa-key",
            "signed-without-authenticator-data",
            "signed-without-client-data",
            "signed-client-data-itself",
            "signed-in-the-wrong-order",
            "signed-other-client-data",
            "client-data-changed-later",
            "authenticator-data-changed-later",
            "user-verified-later",
            "signature-empty",
            "signature-garbage",
            "signature-one-bit-off",
            "signature-with-a-tail",
            "signature-cut-short",
            "signature-of-64-kilobytes");

    @Override
    void attempt() {
        if (!offered(attacker.creationOptions())) {
            skip("logins with RSA passkeys", "the service does not offer RS256");
            return;
        }
        SoftAuthenticator authenticator = SoftAuthenticator.builder()
                .algorithms(KeyAlgorithm.RS256.cose())
                .build();
        SoftBrowser browser = new SoftBrowser(scene.origin(), authenticator).picks(attacker.userId());
        attacker.register(browser, attacker.access().headers());
        try {
            Pkcs1Forger forger = Pkcs1Forger.withKeyOf(authenticator);
            String valid = forge(browser.get(attacker.options()), forger::valid);
            if (!attacker.finish(valid).ok()) {
                throw new AttackException("a valid login with an RSA passkey failed");
            }
            Map<String, UnaryOperator<String>> attempts = new LinkedHashMap<>();
            for (String name : MUTATIONS) {
                Mutation mutation = Mutations.named(CeremonyType.AUTHENTICATION, name);
                attempts.put(name + " (" + mutation.target() + ')', options -> browser.get(options, mutation));
            }
            forger.forgeries()
                    .forEach(
                            (name, signature) -> attempts.put(name, options -> forge(browser.get(options), signature)));
            attempts.forEach((name, respond) -> {
                if (target.isOver()) {
                    outOfTime(name);
                } else {
                    judge(name, attacker.finish(respond.apply(attacker.options())));
                }
            });
        } finally {
            attacker.removeFurther();
        }
    }

    /** Whether creation options offer RS256. */
    static boolean offered(String options) {
        return JsonObject.parse(options).objects("pubKeyCredParams").stream()
                .anyMatch(it -> it.integer("alg") == KeyAlgorithm.RS256.cose());
    }

    /** The same response with another signature of its message. */
    private static String forge(String assertion, Function<byte[], byte[]> signature) {
        JsonObject all = JsonObject.parse(assertion);
        JsonObject response = all.object("response");
        byte[] message =
                Octets.join(response.octets("authenticatorData"), Octets.sha256(response.octets("clientDataJSON")));
        response.put("signature", Octets.base64Url(signature.apply(message)));
        return all.toString();
    }

    /**
     * RSA signatures by the right key with encodings that PKCS#1 v1.5 with SHA-256 does not allow. A verifier that parses the
     * padding instead of comparing all of it may accept them, and with such a verifier signatures can be forged.
     */
    private static final class Pkcs1Forger {
        private static final String SHA_256 = "2.16.840.1.101.3.4.2.1";

        private final RSAPrivateKey key;
        private final int length;

        private Pkcs1Forger(RSAPrivateKey key) {
            this.key = key;
            length = (key.getModulus().bitLength() + 7) / 8;
        }

        /** Uses the only passkey of this authenticator. */
        static Pkcs1Forger withKeyOf(SoftAuthenticator authenticator) {
            JsonObject passkey =
                    JsonObject.parse(authenticator.export()).objects("passkeys").get(0);
            try {
                return new Pkcs1Forger((RSAPrivateKey) KeyFactory.getInstance("RSA")
                        .generatePrivate(new PKCS8EncodedKeySpec(passkey.octets("privateKey"))));
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        /** A valid signature of a message. */
        byte[] valid(byte[] message) {
            return power(padded(1, info(message)));
        }

        /** Functions from a message to an invalid signature, by description. */
        Map<String, Function<byte[], byte[]>> forgeries() {
            Map<String, Function<byte[], byte[]>> all = new LinkedHashMap<>();
            all.put("SHA-1", it -> power(padded(1, info("1.3.14.3.2.26", Der.none(), hash("SHA-1", it)))));
            all.put("SHA-512", it -> power(padded(1, info("2.16.840.1.101.3.4.2.3", Der.none(), hash("SHA-512", it)))));
            all.put("SHA-1 labeled as SHA-256", it -> power(padded(1, info(SHA_256, Der.none(), hash("SHA-1", it)))));
            all.put("PSS padding", this::pss);
            all.put("block type 0", it -> power(padded(0, info(it))));
            all.put("block type 2", it -> power(padded(2, info(it))));
            all.put("a hash without its algorithm", it -> power(padded(1, sha(it))));
            all.put("a truncated hash", it -> power(padded(1, info(SHA_256, Der.none(), Octets.head(sha(it), 31)))));
            all.put("an empty hash", it -> power(padded(1, info(SHA_256, Der.none(), new byte[0]))));
            all.put("no parameters of the algorithm", it -> power(padded(1, info(SHA_256, new byte[0], sha(it)))));
            all.put(
                    "garbage in the parameters",
                    it -> power(padded(1, info(SHA_256, Der.octets(Octets.filled(150, 0x55)), sha(it)))));
            all.put("a length that is not the shortest", it -> {
                byte[] info = info(it);
                return power(padded(1, Octets.join(Octets.of(0x30, 0x81), Octets.tail(info, 1))));
            });
            all.put("garbage after the hash", it -> power(leftAligned(8, info(it))));
            all.put("no padding, and garbage after the hash", it -> power(leftAligned(0, info(it))));
            all.put("another octet in the padding", it -> power(Octets.flip(padded(1, info(it)), 20, 0)));
            all.put("a separator other than zero", it -> {
                byte[] info = info(it);
                return power(Octets.flip(padded(1, info), length - info.length - 1, 0));
            });
            all.put("a first octet other than zero", it -> power(Octets.flip(padded(1, info(it)), 0, 0)));
            all.put("a zero before the signature", it -> Octets.join(Octets.of(0), valid(it)));
            all.put("the modulus added", it -> {
                BigInteger sum = new BigInteger(1, valid(it)).add(key.getModulus());
                return Octets.fixed(sum, Math.max(length, (sum.bitLength() + 7) / 8));
            });
            all.put(
                    "the signature negated",
                    it -> Octets.fixed(key.getModulus().subtract(new BigInteger(1, valid(it))), length));
            all.put("the number 0", it -> new byte[length]);
            all.put("the number 1", it -> Octets.fixed(BigInteger.ONE, length));
            all.put("the modulus", it -> Octets.fixed(key.getModulus(), length));
            all.put("the padded message, not signed", it -> padded(1, info(it)));
            return all;
        }

        private static byte[] info(byte[] message) {
            return info(SHA_256, Der.none(), sha(message));
        }

        private static byte[] info(String algorithm, byte[] parameters, byte[] hash) {
            return Der.sequence(Der.sequence(Der.oid(algorithm), parameters), Der.octets(hash));
        }

        private byte[] padded(int type, byte[] info) {
            return Octets.join(Octets.of(0, type), Octets.filled(length - info.length - 3, 0xff), Octets.of(0), info);
        }

        private byte[] leftAligned(int padding, byte[] info) {
            byte[] start = Octets.join(Octets.of(0, 1), Octets.filled(padding, 0xff), Octets.of(0), info);
            return Octets.join(start, Octets.filled(length - start.length, 0x55));
        }

        private byte[] power(byte[] encoded) {
            try {
                Cipher rsa = Cipher.getInstance("RSA/ECB/NoPadding");
                rsa.init(Cipher.DECRYPT_MODE, key);
                return rsa.doFinal(encoded);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        private byte[] pss(byte[] message) {
            try {
                Signature signature = Signature.getInstance("RSASSA-PSS");
                signature.setParameter(new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
                signature.initSign(key);
                signature.update(message);
                return signature.sign();
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        private static byte[] sha(byte[] message) {
            return Octets.sha256(message);
        }

        private static byte[] hash(String algorithm, byte[] message) {
            try {
                return MessageDigest.getInstance(algorithm).digest(message);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
