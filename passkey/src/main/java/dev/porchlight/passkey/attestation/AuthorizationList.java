// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import dev.porchlight.passkey.data.MalformedException;
import java.util.HashSet;
import java.util.OptionalInt;
import java.util.Set;

/**
 * One of the two lists of a {@link KeyDescription}: the three fields of it that WebAuthn asks about.
 *
 * @param purposes what the key may do; empty when the list does not say
 * @param allApplications whether every application may use the key
 * @param origin how the key came to be, when the list says so
 */
record AuthorizationList(Set<Integer> purposes, boolean allApplications, OptionalInt origin) {
    /** {@code KM_ORIGIN_GENERATED}. */
    static final int GENERATED = 0;
    /** {@code KM_PURPOSE_SIGN}. */
    static final int SIGN = 2;
    /** {@code KM_PURPOSE_VERIFY}: anyone can do that with the public key, so it takes nothing away. */
    private static final int VERIFY = 3;

    private static final int PURPOSE = Der.explicit(1);
    private static final int ALL_APPLICATIONS = Der.explicit(600);
    private static final int ORIGIN = Der.explicit(702);

    AuthorizationList {
        purposes = Set.copyOf(purposes);
    }

    /**
     * Reads the fields in whatever order: devices in use do not keep to the schema's. A field that comes twice is
     * refused.
     */
    static AuthorizationList read(Der list) throws MalformedException {
        var seen = new HashSet<Integer>();
        var purposes = new HashSet<Integer>();
        var origin = OptionalInt.empty();
        while (list.hasNext()) {
            int tag = list.peek();
            if (!Der.isExplicit(tag) || !seen.add(tag)) {
                throw new MalformedException("authorizationList", "a field without a tag of its own");
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

    /** Says where the key comes from, and says something else than generated. */
    boolean deniesGenerated() {
        return origin.isPresent() && origin.getAsInt() != GENERATED;
    }

    /** Says what the key is for, and says something else than signing. */
    boolean deniesSigning() {
        return !purposes.isEmpty()
                && !(purposes.contains(SIGN) && Set.of(SIGN, VERIFY).containsAll(purposes));
    }

    /** Says that the key was generated and is for signing. */
    boolean vouches() {
        return origin.isPresent() && !purposes.isEmpty() && !deniesGenerated() && !deniesSigning();
    }
}
