// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import dev.porchlight.base.EditDistance;
import dev.porchlight.base.PublicSuffixes;
import java.net.IDN;
import java.util.Locale;

/** Finds hosts that users can mistake for another: {@code examp1e.com}, or {@code example.com.evil.net}. */
final class SimilarHosts {
    /** Shorter names differ in one letter too often by chance. */
    private static final int MIN_LENGTH = 10;

    private SimilarHosts() {}

    /** Whether the host is not below the domain of the service, but looks like it. */
    static boolean areSimilar(String service, String host) {
        String domain = PublicSuffixes.registrable(service);
        String other = IDN.toUnicode(host.toLowerCase(Locale.ROOT));
        if (other.isEmpty() || domain.indexOf('.') < 0 || other.equals(domain) || other.endsWith('.' + domain)) {
            return false;
        }
        String otherDomain = PublicSuffixes.registrable(other);
        return other.startsWith(domain + '.')
                || other.contains('.' + domain + '.')
                || domain.length() >= MIN_LENGTH
                        && !differInCountry(domain, otherDomain)
                        && EditDistance.of(domain, otherDomain) == 1;
    }

    /** Whether only the countries of the domains differ, as in {@code example.de} and {@code example.dk}: often one owner. */
    private static boolean differInCountry(String one, String other) {
        int dot = one.length() - 3;
        return one.lastIndexOf('.') == dot
                && one.length() == other.length()
                && other.startsWith(one.substring(0, dot + 1));
    }
}
