// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.metadata;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.DisplayText;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A model of authenticator, as its vendor and FIDO describe it. Immutable.
 *
 * @param aaguid its AAGUID as a UUID; absent for a model of U2F
 * @param keyIdentifiers the key identifiers (SHA-1 of the key, in hexadecimal) of the certificates of a model of U2F
 * @param name a short description in English, without invisible characters
 * @param icon a PNG image
 * @param roots the certificates that attest it, in DER
 * @param hardwareKeys whether its keys stay in hardware, as its vendor states
 * @param reports the reports about it, oldest first
 */
public record AuthenticatorModel(
        Optional<String> aaguid,
        Set<String> keyIdentifiers,
        String name,
        Optional<Bytes> icon,
        List<Bytes> roots,
        boolean hardwareKeys,
        List<StatusReport> reports) {
    private static final int MAX_ICON_BYTES = 128 * 1024;
    private static final String PNG_URL = "data:image/png;base64,";
    private static final Bytes PNG = Bytes.ofHex("89504e470d0a1a0a");

    /** A key, or the model as a whole, can be abused. */
    private static final Set<String> COMPROMISED = Set.of(
            "REVOKED",
            "USER_KEY_REMOTE_COMPROMISE",
            "USER_KEY_PHYSICAL_COMPROMISE",
            "ATTESTATION_KEY_COMPROMISE",
            "USER_VERIFICATION_BYPASS");

    /** The values of {@code keyProtection} for hardware. The others are {@code software} and {@code remote_handle}. */
    private static final Set<String> HARDWARE = Set.of("hardware", "tee", "secure_element");

    private static final Set<String> NOT_CERTIFIED = Set.of("NOT_FIDO_CERTIFIED", "REVOKED");

    /**
     * A report about a model.
     *
     * @param status such as {@code FIDO_CERTIFIED_L1} or {@code REVOKED}
     * @param effective the first day it applies; {@link LocalDate#MIN} if it has no date
     */
    public record StatusReport(String status, LocalDate effective) {
        static StatusReport parse(JsonObject report) throws MalformedException {
            String date = report.optionalText("effectiveDate");
            return new StatusReport(
                    DisplayText.of(report.text("status")),
                    date == null ? LocalDate.MIN : date(report, "effectiveDate", date));
        }
    }

    public AuthenticatorModel {
        keyIdentifiers = Set.copyOf(keyIdentifiers);
        roots = List.copyOf(roots);
        reports = reports.stream()
                .sorted(Comparator.comparing(StatusReport::effective))
                .toList();
    }

    static AuthenticatorModel parse(JsonObject entry) throws MalformedException {
        String aaguid = entry.optionalText("aaguid");
        if (aaguid != null && !isAaguid(aaguid)) {
            throw entry.malformed("aaguid", "not a UUID in lower case");
        }
        var reports = new ArrayList<StatusReport>();
        for (JsonObject report : entry.objects("statusReports")) {
            reports.add(StatusReport.parse(report));
        }
        JsonObject statement = entry.optionalObject("metadataStatement");
        String icon = statement == null ? null : statement.optionalText("icon");
        return new AuthenticatorModel(
                Optional.ofNullable(aaguid),
                new HashSet<>(entry.texts("attestationCertificateKeyIdentifiers")),
                statement == null ? "" : DisplayText.of(statement.text("description")),
                icon == null ? Optional.empty() : png(icon),
                statement == null ? List.of() : certificates(statement.texts("attestationRootCertificates")),
                statement != null && isHardware(statement.texts("keyProtection")),
                reports);
    }

    /** {@code remote_handle} only says that the server stores the key, wrapped by the authenticator as the others say. */
    private static boolean isHardware(List<String> keyProtection) {
        return !keyProtection.contains("software") && keyProtection.stream().anyMatch(HARDWARE::contains);
    }

    /** Returns whether a text is an AAGUID as this library writes it. */
    static boolean isAaguid(String text) {
        try {
            return UUID.fromString(text).toString().equals(text);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    static LocalDate date(JsonObject object, String name, String text) throws MalformedException {
        try {
            return LocalDate.parse(text);
        } catch (DateTimeException e) {
            throw object.malformed(name, "not a date such as 2026-01-31");
        }
    }

    /** Returns the report that makes the model unfit for use, if one applies on this day. */
    public Optional<StatusReport> compromise(LocalDate day) {
        for (StatusReport report : reports) {
            if (COMPROMISED.contains(report.status) && !report.effective.isAfter(day)) {
                return Optional.of(report);
            }
        }
        return Optional.empty();
    }

    /** Returns the highest level that it is certified for on this day, or empty if it is not certified. */
    public Optional<CertificationLevel> certification(LocalDate day) {
        Optional<CertificationLevel> highest = Optional.empty();
        for (StatusReport report : reports) {
            if (!report.effective.isAfter(day)) {
                var level = CertificationLevel.ofStatus(report.status);
                if (NOT_CERTIFIED.contains(report.status)) {
                    highest = Optional.empty();
                } else if (level.isPresent()
                        && highest.filter(best -> best.compareTo(level.get()) >= 0)
                                .isEmpty()) {
                    highest = level;
                }
            }
        }
        return highest;
    }

    /** Vendors wrap lines. What is not base64 is left out, since the other certificates work. */
    private static List<Bytes> certificates(List<String> encoded) {
        var certificates = new ArrayList<Bytes>();
        for (String certificate : encoded) {
            base64(certificate).ifPresent(certificates::add);
        }
        return certificates;
    }

    /** Only PNG, which cannot contain scripts. */
    private static Optional<Bytes> png(String url) {
        return url.startsWith(PNG_URL) && url.length() <= MAX_ICON_BYTES * 4 / 3
                ? base64(url.substring(PNG_URL.length()))
                        .filter(image -> image.size() > PNG.size()
                                && image.slice(0, PNG.size()).equals(PNG))
                : Optional.empty();
    }

    private static Optional<Bytes> base64(String text) {
        try {
            return Optional.of(Bytes.copyOf(Base64.getMimeDecoder().decode(text)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
