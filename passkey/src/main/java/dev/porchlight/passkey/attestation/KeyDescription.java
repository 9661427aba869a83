// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import java.util.HashSet;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Android's attestation extension, which describes a key.
 *
 * @param inHardware whether both the attestation and the key store have a higher security level than "software"
 * @param challenge the challenge that the key was attested for
 * @param software the properties attested by Android's software
 * @param tee the properties attested by the trusted execution environment
 */
record KeyDescription(boolean inHardware, Bytes challenge, AuthorizationList software, AuthorizationList tee) {
    static final String OID = "1.3.6.1.4.1.11129.2.1.17";

    private static final int SOFTWARE = 0;

    static KeyDescription read(byte[] extension) throws MalformedException {
        Der description = Der.sequence(extension);
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

    /**
     * One of the two lists: the three fields that WebAuthn checks.
     *
     * @param purposes the allowed uses of the key; empty if not listed
     * @param allApplications whether every application may use the key
     * @param origin the origin of the key, if listed
     */
    record AuthorizationList(Set<Integer> purposes, boolean allApplications, OptionalInt origin) {
        /** {@code KM_ORIGIN_GENERATED}. */
        private static final int GENERATED = 0;
        /** {@code KM_PURPOSE_SIGN}. */
        private static final int SIGN = 2;
        /** {@code KM_PURPOSE_VERIFY}: allowed, because it only needs the public key. */
        private static final int VERIFY = 3;

        private static final int PURPOSE = Der.explicit(1);
        private static final int ALL_APPLICATIONS = Der.explicit(600);
        private static final int ORIGIN = Der.explicit(702);

        AuthorizationList {
            purposes = Set.copyOf(purposes);
        }

        /** Reads the fields in any order, because some devices do not follow the schema. Refuses duplicate fields. */
        static AuthorizationList read(Der list) throws MalformedException {
            var seen = new HashSet<Integer>();
            var purposes = new HashSet<Integer>();
            var origin = OptionalInt.empty();
            while (list.hasNext()) {
                int tag = list.peek();
                if (!Der.isExplicit(tag) || !seen.add(tag)) {
                    throw new MalformedException("authorizationList", "a field without a unique tag");
                }
                if (tag == PURPOSE) {
                    Der field = list.enter(PURPOSE);
                    Der set = field.enter(Der.SET);
                    while (set.hasNext()) {
                        purposes.add(set.number(Der.INTEGER));
                    }
                    field.finish();
                } else if (tag == ORIGIN) {
                    Der field = list.enter(ORIGIN);
                    origin = OptionalInt.of(field.number(Der.INTEGER));
                    field.finish();
                } else {
                    list.skip();
                }
            }
            return new AuthorizationList(purposes, seen.contains(ALL_APPLICATIONS), origin);
        }

        boolean deniesGenerated() {
            return origin.isPresent() && origin.getAsInt() != GENERATED;
        }

        boolean deniesSigning() {
            return !purposes.isEmpty()
                    && !(purposes.contains(SIGN) && Set.of(SIGN, VERIFY).containsAll(purposes));
        }

        /** Returns whether it attests that the key was generated and is for signing. */
        boolean vouches() {
            return origin.isPresent() && !purposes.isEmpty() && !deniesGenerated() && !deniesSigning();
        }
    }
}
