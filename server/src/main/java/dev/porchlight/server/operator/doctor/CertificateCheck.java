// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** Whether a certificate is for a host, and good for a while yet. */
final class CertificateCheck {
    private static final Duration RENEWAL = Duration.ofDays(14);
    private static final int DNS_NAME = 2;

    private CertificateCheck() {}

    static List<Finding> findings(String whose, String host, InstantSource clock, X509Certificate certificate) {
        List<Finding> findings = new ArrayList<>();
        Instant now = clock.instant();
        Instant from = certificate.getNotBefore().toInstant();
        Instant until = certificate.getNotAfter().toInstant();
        String renew = "certbot renew --cert-name " + host + "   # then restart what serves it";
        if (now.isAfter(until)) {
            findings.add(Finding.wrong(whose + " expired at " + until, renew));
        } else if (now.isBefore(from)) {
            findings.add(Finding.wrong(whose + " is good only from " + from + " on", "timedatectl set-ntp true"));
        } else if (now.plus(RENEWAL).isAfter(until)) {
            findings.add(Finding.wrong(whose + " expires within two weeks, at " + until, renew));
        } else {
            findings.add(Finding.fine(whose + " is good until " + until));
        }
        if (names(certificate).stream().noneMatch(name -> covers(name, host))) {
            findings.add(Finding.wrong(
                    whose + " is for " + names(certificate) + " and not for " + host, "certbot certonly -d " + host));
        }
        return findings;
    }

    private static boolean covers(String name, String host) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.equals(host)
                || lower.startsWith("*.") && host.replaceFirst("^[^.]*", "*").equals(lower);
    }

    private static List<String> names(X509Certificate certificate) {
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            return names == null
                    ? List.of()
                    : names.stream()
                            .filter(name -> name.get(0).equals(DNS_NAME))
                            .map(name -> String.valueOf(name.get(1)))
                            .toList();
        } catch (CertificateParsingException e) {
            return List.of();
        }
    }
}
