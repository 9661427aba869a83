// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.tamper;

import static dev.porchlight.testkit.response.Seam.ALGORITHM;
import static dev.porchlight.testkit.response.Seam.AUTHENTICATOR_DATA;
import static dev.porchlight.testkit.tamper.CeremonyType.REGISTRATION;

import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.key.P256;
import dev.porchlight.testkit.wire.Cbor;
import dev.porchlight.testkit.wire.Octets;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Mutations of the public key. The labels are those of COSE: 1 kty, 3 alg, -1 crv, -2 x, -3 y.
 */
final class KeyMutations extends MutationTable {
    private static final int KTY = 1;
    private static final int ALG = 3;
    private static final int CRV = -1;
    private static final int X = -2;
    private static final int Y = -3;

    KeyMutations() {
        in(REGISTRATION, "7.1.16", "T27");
        invalid("key-for-rs256", "has an RSA key that was not offered", swap(ALGORITHM, it -> KeyAlgorithm.RS256));
        invalid("key-for-eddsa", "has an Ed25519 key that was not offered", swap(ALGORITHM, it -> KeyAlgorithm.EDDSA));
        invalid("key-for-es384", "has a P-384 key that was not offered", swap(ALGORITHM, it -> KeyAlgorithm.ES384));
        key("key-says-rs256", "labels an ES256 key as RS256", it -> it.put(ALG, -257));
        key("key-says-es384", "labels an ES256 key as ES384", it -> it.put(ALG, -35));
        key("key-says-es256k", "labels an ES256 key as ES256K", it -> it.put(ALG, -47));

        in(REGISTRATION, "7.1.16", "T32");
        key("key-without-algorithm", "has no algorithm", it -> it.remove(ALG));
        key("key-algorithm-in-a-string", "has its algorithm in a string", it -> it.put(ALG, "-7"));
        key("key-without-type", "has no key type", it -> it.remove(KTY));
        key("key-type-okp", "has the key type OKP", it -> it.put(KTY, 1));
        key("key-type-rsa", "has the key type RSA", it -> it.put(KTY, 3));
        key("key-without-curve", "has no curve", it -> it.remove(CRV));
        key("key-curve-p384", "has the curve P-384", it -> it.put(CRV, 2));
        key("key-curve-secp256k1", "has the curve secp256k1", it -> it.put(CRV, 8));
        key("key-curve-ed25519", "has the curve Ed25519", it -> it.put(CRV, 6));
        key("key-without-x", "has no x", it -> it.remove(X));
        key("key-without-y", "has no y", it -> it.remove(Y));
        key("key-compressed", "has the sign of y instead of y", it -> it.put(Y, true));
        key("key-with-its-private-part", "includes the private key", it -> it.put(-4, Octets.filled(32, 1)));
        key("key-with-a-key-id", "has a sixth member", it -> it.put(2, Octets.of(1)));
        key("key-in-string-labels", "writes the labels as strings", it -> {
            Map<Object, Object> labels = Map.copyOf(it);
            it.clear();
            labels.forEach((label, value) -> it.put(label.toString(), value));
        });

        in(REGISTRATION, "7.1.16", "T31");
        key("key-off-the-curve", "is the point (1, 1)", it -> point(it, one(), one()));
        coordinate("key-beside-the-curve", "is one bit off the curve", Y, it -> Octets.flip(it, -1, 0));
        key("key-at-infinity", "is the point (0, 0)", it -> point(it, new byte[32], new byte[32]));
        key("key-beyond-the-field", "writes x as x + p", it -> {
            byte[][] point = P256.pointWithSmallX();
            point(it, P256.beyondTheField(point[0]), point[1]);
        });
        key(
                "key-all-ones",
                "has coordinates of all ones",
                it -> point(it, Octets.filled(32, 0xff), Octets.filled(32, 0xff)));
        key("key-x-of-31-octets", "has an x of 31 octets", it -> it.put(X, Octets.filled(31, 1)));
        coordinate("key-x-of-33-octets", "has a zero before x", X, it -> Octets.join(Octets.of(0), it));
        coordinate("key-y-of-33-octets", "has a zero before y", Y, it -> Octets.join(Octets.of(0), it));
        key("key-empty-coordinates", "has empty coordinates", it -> point(it, new byte[0], new byte[0]));

        in(REGISTRATION, "7.1.12", "T33");
        invalid("key-not-a-map", "has a string for the key", edit(AUTHENTICATOR_DATA, it -> {
            it.keyOctets = Cbor.encode(Cbor.encode(it.key));
        }));
        invalid("key-label-twice", "has the algorithm twice", edit(AUTHENTICATOR_DATA, it -> {
            byte[] honest = Cbor.encode(it.key);
            it.keyOctets = Octets.join(Octets.of(0xa6, 0x03, 0x38, 0x22), Octets.tail(honest, 1));
        }));
        invalid("key-of-indefinite-length", "has a key of indefinite length", edit(AUTHENTICATOR_DATA, it -> {
            it.keyOctets = Octets.join(Octets.of(0xbf), Octets.tail(Cbor.encode(it.key), 1), Octets.of(0xff));
        }));
        valid("key-in-another-order", "has the members of the key in another order", edit(AUTHENTICATOR_DATA, it -> {
            byte[] honest = Cbor.encode(it.key);
            it.keyOctets = Octets.join(Octets.of(0xa5), Octets.tail(honest, 3), Octets.of(0x01, 0x02));
        }));
    }

    private void key(String name, String description, Consumer<Map<Object, Object>> change) {
        invalid(name, description, edit(AUTHENTICATOR_DATA, it -> change.accept(it.key)));
    }

    private void coordinate(String name, String description, int label, UnaryOperator<byte[]> change) {
        key(name, description, it -> it.computeIfPresent(label, (same, octets) -> change.apply((byte[]) octets)));
    }

    private static void point(Map<Object, Object> key, byte[] x, byte[] y) {
        key.put(X, x);
        key.put(Y, y);
    }

    private static byte[] one() {
        return Octets.bigEndian(1, 32);
    }
}
