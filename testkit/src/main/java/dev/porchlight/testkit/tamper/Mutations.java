// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.tamper;

import java.util.List;
import java.util.stream.Stream;

/** The catalog of all mutations. */
public final class Mutations {
    private static final List<Mutation> ALL = Stream.of(
                    new EnvelopeMutations(),
                    new ClientDataTextMutations(),
                    new ClientDataMutations(),
                    new OriginMutations(),
                    new CborMutations(),
                    new AuthenticatorDataMutations(),
                    new KeyMutations(),
                    new RsaMutations(),
                    new AttestationMutations(),
                    new CertificateMutations(),
                    new PlatformMutations(),
                    new IdentityMutations(),
                    new SignatureMutations())
            .flatMap(table -> table.rows().stream())
            .toList();

    private Mutations() {}

    /** Returns all mutations of all ceremonies. */
    public static List<Mutation> all() {
        return ALL;
    }

    /** Returns the mutations that a relying party must refuse in a ceremony. */
    public static List<Mutation> invalid(CeremonyType ceremony) {
        return all().stream()
                .filter(it -> it.ceremony() == ceremony && !it.valid())
                .toList();
    }

    /** Returns the mutations that a relying party must accept in a ceremony. */
    public static List<Mutation> valid(CeremonyType ceremony) {
        return all().stream()
                .filter(it -> it.ceremony() == ceremony && it.valid())
                .toList();
    }

    /** Returns the mutation with this name. */
    public static Mutation named(CeremonyType ceremony, String name) {
        return all().stream()
                .filter(it -> it.ceremony() == ceremony && it.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown mutation " + ceremony + "/" + name));
    }
}
