// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.tamper;

import static dev.porchlight.testkit.response.Seam.AUTHENTICATOR_DATA;
import static dev.porchlight.testkit.tamper.CeremonyType.REGISTRATION;
import static dev.porchlight.testkit.tamper.Precondition.RS256_OFFERED;

import dev.porchlight.testkit.wire.Cbor;
import dev.porchlight.testkit.wire.Octets;
import java.util.Map;
import java.util.function.Consumer;

/** Mutations of RSA public keys. The labels are those of COSE: 1 kty, 3 alg, -1 n, -2 e. */
final class RsaMutations extends MutationTable {
    private static final int KTY = 1;
    private static final int ALG = 3;
    private static final int N = -1;
    private static final int E = -2;

    RsaMutations() {
        in(REGISTRATION, "7.1.16", "T27", RS256_OFFERED);
        key("rsa-for-rs1", "labels an RSA key as RS1", it -> it.put(ALG, -65535));
        key("rsa-for-rs512", "labels an RSA key as RS512", it -> it.put(ALG, -259));
        key("rsa-for-ps256", "labels an RSA key as PS256", it -> it.put(ALG, -37));
        in(REGISTRATION, "7.1.16", "T32", RS256_OFFERED);
        key("rsa-for-es256", "labels an RSA key as ES256", it -> it.put(ALG, -7));
        key("rsa-of-type-ec2", "has the key type EC2", it -> it.put(KTY, 2));
        key("rsa-exponent-1", "has the exponent 1", it -> it.put(E, Octets.of(1)));
        key("rsa-exponent-3", "has the exponent 3", it -> it.put(E, Octets.of(3)));
        key("rsa-exponent-even", "has the exponent 65536", it -> it.put(E, Octets.of(1, 0, 0)));
        key("rsa-exponent-of-33-bits", "has an exponent of 33 bits", it -> it.put(E, Octets.of(1, 0, 0, 0, 1)));
        key("rsa-exponent-padded", "has a zero before the exponent", it -> it.put(E, Octets.of(0, 1, 0, 1)));
        key("rsa-exponent-as-a-number", "has the exponent as a number", it -> it.put(E, 65_537));
        key("rsa-without-exponent", "has no exponent", it -> it.remove(E));
        key("rsa-without-modulus", "has no modulus", it -> it.remove(N));
        key("rsa-of-1024-bits", "has a modulus of 1024 bits", it -> it.put(N, modulus(128)));
        key("rsa-of-2047-bits", "has a modulus of 2047 bits", it -> it.put(N, shortened(256)));
        key("rsa-of-4104-bits", "has a modulus of 4104 bits", it -> it.put(N, modulus(513)));
        key(
                "rsa-modulus-padded",
                "has a zero before the modulus",
                it -> it.put(N, Octets.join(Octets.of(0), modulus(256))));
        key("rsa-modulus-even", "has an even modulus", it -> it.put(N, Octets.flip(modulus(256), -1, 0)));
        key("rsa-modulus-empty", "has an empty modulus", it -> it.put(N, new byte[0]));
        key("rsa-with-its-private-exponent", "includes the private exponent", it -> it.put(-3, modulus(256)));
    }

    private void key(String name, String description, Consumer<Map<Object, Object>> change) {
        invalid(name, description, edit(AUTHENTICATOR_DATA, it -> {
            it.key = Cbor.map(KTY, 3, ALG, -257, N, modulus(256), E, Octets.of(1, 0, 1));
            change.accept(it.key);
        }));
    }

    /** An odd number of this length. Registration without attestation does not prove that the key works. */
    private static byte[] modulus(int octets) {
        return Octets.filled(octets, 0xc5);
    }

    private static byte[] shortened(int octets) {
        return Octets.join(Octets.of(0x45), Octets.tail(modulus(octets), 1));
    }
}
