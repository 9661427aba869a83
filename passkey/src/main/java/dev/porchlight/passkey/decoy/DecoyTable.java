// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.decoy;

import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.store.PasskeyShapes.Shape;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The distributions that decoys are drawn from: the number per unknown user, and the kind of each. Immutable.
 *
 * @param counts the number of passkeys of a user
 * @param kinds the length of a passkey's id, its algorithm unless it is ES256, and its transports: {@code 20:usb}, {@code
 *     32.RS256:internal}
 */
public record DecoyTable(DecoySlots counts, DecoySlots kinds) {
    /** The default for a deployment without passkeys: phones, password managers, laptops and security keys. Most users have one. */
    static final DecoyTable COMMON = new DecoyTable(
            DecoySlots.of(List.of("1", "1", "1", "1", "1", "1", "2", "2", "3")),
            DecoySlots.of(List.of(
                    "20:hybrid,internal",
                    "20:hybrid,internal",
                    "16:hybrid,internal",
                    "32:hybrid,internal",
                    "32:internal",
                    "32:internal",
                    "48:nfc,usb",
                    "64:nfc,usb")));

    /** Weights are integers: this is the least common multiple of the numbers up to 10. */
    private static final int ONE_USER = 2_520;

    private static final int MOST_WORD = 256;

    private static String kind(Shape shape) {
        String algorithm = shape.algorithm() == CredentialAlgorithm.ES256 ? "" : "." + shape.algorithm();
        return shape.idBytes() + algorithm + ":" + String.join(",", shape.transports());
    }

    public static int idBytes(String kind) {
        String start = kind.substring(0, kind.indexOf(':'));
        int dot = start.indexOf('.');
        return Integer.parseInt(dot < 0 ? start : start.substring(0, dot));
    }

    public static CredentialAlgorithm algorithm(String kind) {
        int end = kind.indexOf(':');
        int dot = kind.lastIndexOf('.', end);
        return dot < 0
                ? CredentialAlgorithm.ES256
                : CredentialAlgorithm.ofLabel(kind.substring(dot + 1, end)).orElse(CredentialAlgorithm.ES256);
    }

    /** Returns whether passkeys have other keys than those for ES256. */
    boolean hasSeveralAlgorithms() {
        String last = "";
        for (String kind : kinds.words()) {
            if (!kind.equals(last) && algorithm(kind) != CredentialAlgorithm.ES256) {
                return true;
            }
            last = kind;
        }
        return false;
    }

    static List<String> transports(String kind) {
        String joined = kind.substring(kind.indexOf(':') + 1);
        return joined.isEmpty() ? List.of() : List.of(joined.split(",", -1));
    }

    public static DecoyTable of(List<Shape> sample) {
        Map<String, Integer> kinds = kindsIn(sample);
        return kinds.isEmpty() ? COMMON : new DecoyTable(DecoySlots.of(countsIn(sample)), DecoySlots.of(kinds));
    }

    /** Returns this table adapted to a sample of the stored passkeys. */
    DecoyTable following(List<Shape> sample) {
        Map<String, Integer> found = kindsIn(sample);
        return found.isEmpty() ? this : new DecoyTable(counts.following(countsIn(sample)), kinds.following(found));
    }

    private static Map<String, Integer> countsIn(List<Shape> sample) {
        Map<String, Integer> counts = new HashMap<>();
        for (Shape shape : sample) {
            // A user with five passkeys is sampled five times as often as a user with one.
            int ofUser = Math.max(1, shape.ofUser());
            counts.merge(Integer.toString(ofUser), Math.max(1, ONE_USER / ofUser), Integer::sum);
        }
        return counts;
    }

    private static Map<String, Integer> kindsIn(List<Shape> sample) {
        Map<String, Integer> kinds = new HashMap<>();
        sample.stream()
                .map(DecoyTable::kind)
                .filter(DecoyTable::isWord)
                .forEach(kind -> kinds.merge(kind, 1, Integer::sum));
        return kinds;
    }

    /** Imported transports may hold any text. */
    private static boolean isWord(String kind) {
        return kind.length() <= MOST_WORD && kind.chars().allMatch(letter -> letter > ' ' && letter < 0x7f);
    }

    String text() {
        return counts.text() + "\n" + kinds.text();
    }

    /** Parses the lines of {@link #text}, or throws a {@link RuntimeException}. */
    static DecoyTable parse(String counts, String kinds) {
        DecoyTable table = new DecoyTable(DecoySlots.parse(counts), DecoySlots.parse(kinds));
        table.counts.words().forEach(Integer::parseInt);
        table.kinds.words().forEach(DecoyTable::idBytes);
        return table;
    }
}
