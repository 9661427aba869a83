// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.tamper;

import java.util.List;
import java.util.stream.Stream;

/** The register of all lies and oddities. */
public final class Tamper {
    private static final List<Lie> ALL = Stream.of(
                    new EnvelopeLies(),
                    new ClientDataTextLies(),
                    new ClientDataLies(),
                    new OriginLies(),
                    new CborLies(),
                    new AuthenticatorDataLies(),
                    new KeyLies(),
                    new AttestationLies(),
                    new CertificateLies(),
                    new PlatformLies(),
                    new IdentityLies(),
                    new SignatureLies())
            .flatMap(table -> table.rows().stream())
            .toList();

    private Tamper() {}

    /** Every lie and every oddity of every ceremony, theme by theme. */
    public static List<Lie> all() {
        return ALL;
    }

    /** What a relying party must refuse in a ceremony. */
    public static List<Lie> lies(Ceremony ceremony) {
        return all().stream()
                .filter(it -> it.ceremony() == ceremony && !it.truthful())
                .toList();
    }

    /** What looks like a lie in a ceremony and must be accepted. */
    public static List<Lie> oddities(Ceremony ceremony) {
        return all().stream()
                .filter(it -> it.ceremony() == ceremony && it.truthful())
                .toList();
    }

    /** The lie or oddity with this name. */
    public static Lie named(Ceremony ceremony, String name) {
        return all().stream()
                .filter(it -> it.ceremony() == ceremony && it.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no lie is called " + ceremony + "/" + name));
    }
}
