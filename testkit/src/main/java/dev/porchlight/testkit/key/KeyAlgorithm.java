// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.key;

import dev.porchlight.testkit.wire.Cbor;
import dev.porchlight.testkit.wire.Octets;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.RSAPrivateKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The signature algorithms of credentials, by their COSE numbers. */
public enum KeyAlgorithm {
    ES256(-7, "EC", "SHA256withECDSA", new ECGenParameterSpec("secp256r1"), "SunEC", ec2(1, 32)),
    ES384(-35, "EC", "SHA384withECDSA", new ECGenParameterSpec("secp384r1"), "SunEC", ec2(2, 48)),
    ES512(-36, "EC", "SHA512withECDSA", new ECGenParameterSpec("secp521r1"), "SunEC", ec2(3, 66)),
    EDDSA(-8, "Ed25519", "Ed25519", NamedParameterSpec.ED25519, "SunEC", okp(6)),
    RS256(-257, "RSA", "SHA256withRSA", null, "SunRsaSign", KeyAlgorithm::rsa),
    PS256(-37, "RSA", "RSASSA-PSS", null, "SunRsaSign", KeyAlgorithm::rsa),
    /** The fully specified numbers of RFC 9864. */
    ESP256(-9, "EC", "SHA256withECDSA", new ECGenParameterSpec("secp256r1"), "SunEC", ec2(1, 32)),
    ESP384(-51, "EC", "SHA384withECDSA", new ECGenParameterSpec("secp384r1"), "SunEC", ec2(2, 48)),
    ESP512(-52, "EC", "SHA512withECDSA", new ECGenParameterSpec("secp521r1"), "SunEC", ec2(3, 66)),
    ED25519(-19, "Ed25519", "Ed25519", NamedParameterSpec.ED25519, "SunEC", okp(6)),
    /** ML-DSA needs JDK 24 or an installed provider that has it. */
    ML_DSA_44(-48, "ML-DSA-44", "ML-DSA", null, "SUN", KeyAlgorithm::akp),
    ML_DSA_65(-49, "ML-DSA-65", "ML-DSA", null, "SUN", KeyAlgorithm::akp),
    ML_DSA_87(-50, "ML-DSA-87", "ML-DSA", null, "SUN", KeyAlgorithm::akp);

    private static final PSSParameterSpec PSS =
            new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, PSSParameterSpec.TRAILER_FIELD_BC);

    private static final int KTY = 1;
    private static final int ALG = 3;

    private final int cose;
    private final String keys;
    final String signatures;

    @SuppressWarnings("ImmutableEnumChecker") // the JDK's parameter classes are immutable, if not annotated so
    private final @Nullable AlgorithmParameterSpec parameters;

    /** The JDK's provider, which uses the given source of randomness. Others may ignore it. */
    private final String jdk;

    @SuppressWarnings("ImmutableEnumChecker") // the functions have no state
    private final BiFunction<Integer, PublicKey, Map<Object, Object>> members;

    KeyAlgorithm(
            int cose,
            String keys,
            String signatures,
            @Nullable AlgorithmParameterSpec parameters,
            String jdk,
            BiFunction<Integer, PublicKey, Map<Object, Object>> members) {
        this.cose = cose;
        this.keys = keys;
        this.signatures = signatures;
        this.parameters = parameters;
        this.jdk = jdk;
        this.members = members;
    }

    public static Optional<KeyAlgorithm> ofCose(int number) {
        return Stream.of(values()).filter(it -> it.cose == number).findFirst();
    }

    public int cose() {
        return cose;
    }

    public CredentialKey generate(SecureRandom random) {
        try {
            if (keys.equals("RSA")) {
                return new CredentialKey(this, RsaPair.generate(random), random);
            }
            KeyPairGenerator generator = SeededRandom.isSeeded(random)
                    ? KeyPairGenerator.getInstance(keys, jdk)
                    : KeyPairGenerator.getInstance(keys);
            if (parameters != null) {
                generator.initialize(parameters, random);
            }
            return new CredentialKey(this, generator.generateKeyPair(), random);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns an object for signatures with this JCA algorithm and source of randomness. */
    Signature signature(String jcaName, SecureRandom random) throws GeneralSecurityException {
        Signature signature =
                SeededRandom.isSeeded(random) ? Signature.getInstance(jcaName, jdk) : Signature.getInstance(jcaName);
        if (jcaName.equals(PS256.signatures)) {
            signature.setParameter(PSS);
        }
        return signature;
    }

    /** Restores a pair from its {@code getEncoded()} forms. */
    public CredentialKey restore(byte[] privateKey, byte[] publicKey, SecureRandom random) {
        try {
            KeyFactory factory = KeyFactory.getInstance(keys);
            PublicKey known = factory.generatePublic(new X509EncodedKeySpec(publicKey));
            KeyPair pair = new KeyPair(known, factory.generatePrivate(new PKCS8EncodedKeySpec(privateKey)));
            return new CredentialKey(this, pair, random);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("not a key of " + this, e);
        }
    }

    /** Returns {@code key} as a mutable COSE map. */
    Map<Object, Object> coseKey(PublicKey key) {
        return members.apply(cose, key);
    }

    private static BiFunction<Integer, PublicKey, Map<Object, Object>> ec2(int curve, int width) {
        return (alg, key) -> {
            ECPoint point = ((ECPublicKey) key).getW();
            byte[] x = Octets.fixed(point.getAffineX(), width);
            return Cbor.map(KTY, 2, ALG, alg, -1, curve, -2, x, -3, Octets.fixed(point.getAffineY(), width));
        };
    }

    /** The key itself follows the 12 octets at the start of its SubjectPublicKeyInfo. */
    private static BiFunction<Integer, PublicKey, Map<Object, Object>> okp(int curve) {
        return (alg, key) -> Cbor.map(KTY, 1, ALG, alg, -1, curve, -2, Octets.tail(key.getEncoded(), 12));
    }

    private static Map<Object, Object> rsa(int alg, PublicKey key) {
        byte[] modulus = Octets.fixed(((RSAPublicKey) key).getModulus(), 256);
        return Cbor.map(KTY, 3, ALG, alg, -1, modulus, -2, Octets.of(1, 0, 1));
    }

    /** The key itself follows the 22 octets at the start of its SubjectPublicKeyInfo. */
    private static Map<Object, Object> akp(int alg, PublicKey key) {
        return Cbor.map(KTY, 7, ALG, alg, -1, Octets.tail(key.getEncoded(), 22));
    }

    /** Generates RSA keys with 2048 bits from eight primes, which is many times faster than from two. */
    private static final class RsaPair {
        private static final int PRIMES = 8;
        private static final int PRIME_BITS = 2048 / PRIMES;
        private static final BigInteger EXPONENT = BigInteger.valueOf(65537);

        private RsaPair() {}

        static KeyPair generate(SecureRandom random) throws GeneralSecurityException {
            BigInteger modulus = BigInteger.ONE;
            BigInteger totient = BigInteger.ONE;
            for (int i = 0; i < PRIMES; i++) {
                BigInteger prime = prime(random);
                modulus = modulus.multiply(prime);
                totient = totient.multiply(prime.subtract(BigInteger.ONE));
            }
            KeyFactory factory = KeyFactory.getInstance("RSA");
            return new KeyPair(
                    factory.generatePublic(new RSAPublicKeySpec(modulus, EXPONENT)),
                    factory.generatePrivate(new RSAPrivateKeySpec(modulus, EXPONENT.modInverse(totient))));
        }

        /** The four highest bits are set, so that the product of the primes has its highest bit set. */
        private static BigInteger prime(SecureRandom random) {
            BigInteger prime;
            do {
                BigInteger start = new BigInteger(PRIME_BITS, random)
                        .setBit(PRIME_BITS - 1)
                        .setBit(PRIME_BITS - 2)
                        .setBit(PRIME_BITS - 3)
                        .setBit(PRIME_BITS - 4);
                prime = start.nextProbablePrime();
            } while (prime.mod(EXPONENT).equals(BigInteger.ONE));
            return prime;
        }
    }
}
