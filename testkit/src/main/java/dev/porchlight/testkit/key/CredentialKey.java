// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.key;

import dev.porchlight.testkit.wire.Octets;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECPoint;
import java.util.Map;
import java.util.function.Function;

/** A key pair with its algorithm. Signatures use the random source that created the pair. */
public final class CredentialKey {
    private final KeyAlgorithm algorithm;
    private final KeyPair pair;
    private final SecureRandom random;

    CredentialKey(KeyAlgorithm algorithm, KeyPair pair, SecureRandom random) {
        this.algorithm = algorithm;
        this.pair = pair;
        this.random = random;
    }

    public KeyAlgorithm algorithm() {
        return algorithm;
    }

    public PublicKey publicKey() {
        return pair.getPublic();
    }

    public PrivateKey privateKey() {
        return pair.getPrivate();
    }

    /** Returns the public key as a mutable COSE map. */
    public Map<Object, Object> cose() {
        return algorithm.coseKey(pair.getPublic());
    }

    /** The x coordinate of an ECDSA key. */
    public byte[] x() {
        return coordinate(ECPoint::getAffineX);
    }

    /** The y coordinate of an ECDSA key. */
    public byte[] y() {
        return coordinate(ECPoint::getAffineY);
    }

    private byte[] coordinate(Function<ECPoint, BigInteger> which) {
        ECPublicKey key = (ECPublicKey) pair.getPublic();
        int bits = key.getParams().getCurve().getField().getFieldSize();
        return Octets.fixed(which.apply(key.getW()), (bits + 7) / 8);
    }

    /** The modulus of an RS256 key. */
    public byte[] modulus() {
        BigInteger modulus = ((RSAPublicKey) pair.getPublic()).getModulus();
        return Octets.fixed(modulus, (modulus.bitLength() + 7) / 8);
    }

    public byte[] sign(byte[] message) {
        return sign(message, algorithm.signatures);
    }

    /** Signs with this JCA algorithm instead of the key's own. */
    public byte[] sign(byte[] message, String jcaName) {
        try {
            Signature signature = algorithm.signature(jcaName, random);
            signature.initSign(pair.getPrivate(), random);
            signature.update(message);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
