// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.oracle;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Every algorithm for passkeys, and every extension output, that this library or an oracle has. */
final class PeerFeatures {
    /**
     * A feature, and the libraries that have it.
     *
     * @param value what every library that has it reads from the test's responses; the number of an algorithm
     */
    record Feature(String name, Object value, boolean ours, boolean webauthn4j, boolean yubico) {
        private String row() {
            String number = value instanceof Integer && name.indexOf('`') < 0 ? " (" + value + ")" : "";
            return "| %s%s | %s | %s | %s |%n".formatted(name, number, word(ours), word(webauthn4j), word(yubico));
        }

        private static String word(boolean has) {
            return has ? "yes" : "no";
        }
    }

    static final List<Feature> ALGORITHMS = List.of(
            new Feature("ES256", -7, true, true, true),
            new Feature("ES384", -35, true, true, true),
            new Feature("ES512", -36, true, true, true),
            new Feature("EdDSA with Ed25519", -8, true, true, true),
            new Feature("Ed25519", -19, true, true, true),
            new Feature("ESP384", -51, true, true, false),
            new Feature("ESP512", -52, true, true, false),
            new Feature("RS256", -257, true, true, true),
            new Feature("PS256", -37, true, true, false),
            new Feature("ESP256", -9, false, true, false),
            new Feature("Ed448", -53, false, true, true),
            new Feature("RS384", -258, false, true, true),
            new Feature("RS512", -259, false, true, true),
            new Feature("RS1", -65535, false, true, true),
            new Feature("PS384", -38, false, true, false),
            new Feature("PS512", -39, false, true, false));

    static final List<Feature> CREATED = List.of(
            new Feature("`credProps.rk`", true, true, true, true),
            new Feature("`credProtect`, signed", 3, true, true, true),
            new Feature("`minPinLength`, signed", 4, true, false, false),
            new Feature("`prf.enabled`", true, true, false, true),
            new Feature("`hmac-secret`, signed", true, false, true, false),
            new Feature("`largeBlob.supported`", true, true, true, true),
            new Feature("`appidExclude`", true, false, true, true),
            new Feature("`uvm`, signed", 1, false, true, true));

    static final List<Feature> WRITTEN = List.of(
            new Feature("`largeBlob.written`", true, true, true, true),
            new Feature("`appid`", false, false, true, true));

    static final List<Feature> ASSERTED = List.of(
            new Feature("`largeBlob.blob`", "AQID", true, true, true),
            new Feature("`appid`", false, false, true, true),
            new Feature("`uvm`, signed", 1, false, true, true));

    private PeerFeatures() {}

    /** What a library reads: names without the quotes of the page, and values. */
    static Map<String, Object> of(List<Feature> features, Predicate<Feature> has) {
        return features.stream()
                .filter(has)
                .collect(Collectors.toMap(it -> it.name().split("`", -1)[1], Feature::value));
    }

    static String table(String title, List<Feature> features) {
        return features.stream()
                .map(Feature::row)
                .distinct()
                .collect(Collectors.joining(
                        "", "| " + title + " | this library | webauthn4j | Yubico |\n|---|---|---|---|\n", ""));
    }
}
