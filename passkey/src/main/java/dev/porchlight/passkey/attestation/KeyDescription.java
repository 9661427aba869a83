// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import dev.porchlight.passkey.data.Bytes;
import dev.porchlight.passkey.data.MalformedException;

/**
 * Android's attestation extension: what the key store says about a key.
 *
 * @param inHardware whether neither the attestation nor the key store is of the security level "software"
 * @param challenge what the key was attested for
 * @param software what Android's software vouches for
 * @param tee what the trusted execution environment vouches for
 */
record KeyDescription(boolean inHardware, Bytes challenge, AuthorizationList software, AuthorizationList tee) {
    static final String OID = "1.3.6.1.4.1.11129.2.1.17";

    /** The security level {@code Software}. */
    private static final int SOFTWARE = 0;

    static KeyDescription read(byte[] extension) throws MalformedException {
        Der outer = Der.over(extension);
        Der description = outer.enter(Der.SEQUENCE);
        outer.finish();
        description.number(Der.INTEGER); // attestationVersion
        int attestation = description.number(Der.ENUMERATED); // attestationSecurityLevel
        description.number(Der.INTEGER); // keymasterVersion
        int keymaster = description.number(Der.ENUMERATED); // keymasterSecurityLevel
        Bytes challenge = Bytes.copyOf(description.bytes(Der.OCTET_STRING));
        description.bytes(Der.OCTET_STRING); // uniqueId
        AuthorizationList software = AuthorizationList.read(description.enter(Der.SEQUENCE));
        AuthorizationList tee = AuthorizationList.read(description.enter(Der.SEQUENCE));
        description.finish();
        return new KeyDescription(attestation != SOFTWARE && keymaster != SOFTWARE, challenge, software, tee);
    }
}
