// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** Checks the names and the validity of a certificate. */
final class CertificateCheck {
    private static final Duration RENEWAL = Duration.ofDays(14);
    private static final int DNS_NAME = 2;

    private CertificateCheck() {}

    /** Returns whether there is no problem. */
    static boolean run(Examination examination, String whose, String host, X509Certificate certificate) {
        Instant now = examination.clock().instant();
        Instant from = certificate.getNotBefore().toInstant();
        Instant until = certificate.getNotAfter().toInstant();
        boolean early = now.isBefore(from);
        boolean valid = examination.expect(
                !early && !now.plus(RENEWAL).isAfter(until),
                whose + " is valid until " + until,
                early
                        ? whose + " is not valid before " + from
                        : whose + (now.isAfter(until) ? " expired at " : " expires within two weeks, at ") + until,
                early
                        ? "timedatectl set-ntp true"
                        : "certbot renew --cert-name " + host + "   # then restart the server that uses it");
        List<String> names = names(certificate);
        if (names.stream().anyMatch(name -> covers(name, host))) {
            return valid;
        }
        examination.problem(whose + " is for " + names + ", not for " + host, "certbot certonly -d " + host);
        return false;
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
