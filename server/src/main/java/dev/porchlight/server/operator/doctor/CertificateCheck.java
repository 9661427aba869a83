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

/** Checks the names and the validity of a certificate. */
final class CertificateCheck {
    private static final Duration RENEWAL = Duration.ofDays(14);
    private static final int DNS_NAME = 2;

    private CertificateCheck() {}

    static List<Diagnosis> run(String whose, String host, InstantSource clock, X509Certificate certificate) {
        List<Diagnosis> results = new ArrayList<>();
        Instant now = clock.instant();
        Instant from = certificate.getNotBefore().toInstant();
        Instant until = certificate.getNotAfter().toInstant();
        String renew = "certbot renew --cert-name " + host + "   # then restart the server that uses it";
        if (now.isAfter(until)) {
            results.add(Diagnosis.problem(whose + " expired at " + until, renew));
        } else if (now.isBefore(from)) {
            results.add(Diagnosis.problem(whose + " is not valid before " + from, "timedatectl set-ntp true"));
        } else if (now.plus(RENEWAL).isAfter(until)) {
            results.add(Diagnosis.problem(whose + " expires within two weeks, at " + until, renew));
        } else {
            results.add(Diagnosis.ok(whose + " is valid until " + until));
        }
        if (names(certificate).stream().noneMatch(name -> covers(name, host))) {
            results.add(Diagnosis.problem(
                    whose + " is for " + names(certificate) + ", not for " + host, "certbot certonly -d " + host));
        }
        return results;
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
