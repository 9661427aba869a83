// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit;

import dev.porchlight.testkit.attestation.CertificateAuthority;
import dev.porchlight.testkit.attestation.CertificateDraft;
import dev.porchlight.testkit.attestation.Issuer;
import dev.porchlight.testkit.key.CredentialKey;
import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.wire.Octets;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A BLOB of the FIDO metadata service about software authenticators. Its signer's certificate, and those of the authenticators,
 * lead to {@link SoftAuthenticator#attestationRoot()}. Not thread-safe.
 */
public final class SoftMetadata {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final CredentialKey KEY = KeyAlgorithm.ES256.generate(RANDOM);
    private static final String ALTERNATIVE_NAME = "2.5.29.17";

    /** A PNG image of one pixel. */
    private static final String ICON =
            "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
                    + "YPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

    private final long number;
    private final String nextUpdate;
    private final List<String> entries = new ArrayList<>();
    private CertificateAuthority authority = CertificateAuthority.kit();
    private Consumer<CertificateDraft> change = draft -> {};
    private String header = "";
    private String keyProtection = "\"software\"";

    /** Creates a BLOB with this serial number, and the date of the next one, such as {@code 2026-01-31}. */
    public SoftMetadata(long number, String nextUpdate) {
        this.number = number;
        this.nextUpdate = nextUpdate;
    }

    /**
     * Adds a model.
     *
     * @param statuses such as {@code FIDO_CERTIFIED_L1}, or {@code REVOKED 2026-01-31} with the first day it applies
     */
    public SoftMetadata model(UUID aaguid, String name, String... statuses) {
        return entry("\"aaguid\":\"" + aaguid + '"', name, statuses);
    }

    /** Adds a model of U2F, which has no AAGUID but the SHA-1 hashes of keys, in hexadecimal. */
    public SoftMetadata u2f(String keyIdentifier, String name, String... statuses) {
        return entry("\"attestationCertificateKeyIdentifiers\":[\"" + keyIdentifier + "\"]", name, statuses);
    }

    /** Sets where the models that are added next keep their keys, such as {@code "hardware", "tee"}. */
    public SoftMetadata keyProtection(String... values) {
        keyProtection = Stream.of(values).collect(Collectors.joining("\",\"", "\"", "\""));
        return this;
    }

    private SoftMetadata entry(String id, String name, String... statuses) {
        String root =
                Base64.getEncoder().encodeToString(CertificateAuthority.kit().rootOctets());
        return entry("{" + id + ",\"metadataStatement\":{\"description\":\"" + name + "\",\"icon\":\"" + ICON
                + "\",\"keyProtection\":[" + keyProtection + "],\"attestationRootCertificates\":[\"" + root
                + "\"]},\"statusReports\":"
                + Stream.of(statuses).map(SoftMetadata::report).collect(Collectors.joining(",", "[", "]}")));
    }

    private static String report(String status) {
        String[] parts = status.split(" ", 2);
        String date = parts.length == 1 ? "" : ",\"effectiveDate\":\"" + parts[1] + '"';
        return "{\"status\":\"" + parts[0] + '"' + date + '}';
    }

    /** Adds an entry as JSON. */
    public SoftMetadata entry(String json) {
        entries.add(json);
        return this;
    }

    /** Adds a member to the header of the JWS, such as {@code "crit":["exp"]}. */
    public SoftMetadata header(String member) {
        header = ',' + member;
        return this;
    }

    /** Signs with a certificate for this host. */
    public SoftMetadata signerName(String host) {
        byte[] name = Octets.utf8(host);
        byte[] names = Octets.join(new byte[] {0x30, (byte) (name.length + 2), (byte) 0x82, (byte) name.length}, name);
        change = change.andThen(draft -> draft.extension(ALTERNATIVE_NAME, false, names));
        return this;
    }

    /** Signs with a certificate that expires then. */
    public SoftMetadata signerExpiry(Instant end) {
        change = change.andThen(draft -> draft.validUntil(end));
        return this;
    }

    /** Signs with a certificate of another authority, whose names are the same. */
    public SoftMetadata impostor() {
        authority = CertificateAuthority.impostor();
        return this;
    }

    /** Returns the signed BLOB. */
    public String sign() {
        CertificateDraft draft = new CertificateDraft(KEY.publicKey())
                .subject("CH", "Porchlight testkit", "Metadata", "Metadata of software authenticators");
        String chain = new Issuer(authority, change)
                .issue(draft, RANDOM).stream()
                        .map(certificate -> '"' + Base64.getEncoder().encodeToString(certificate) + '"')
                        .collect(Collectors.joining(",", "[", "]"));
        String signed = encoded("{\"alg\":\"ES256\",\"typ\":\"JWT\",\"x5c\":" + chain + header + '}')
                + '.'
                + encoded("{\"legalHeader\":\"For tests.\",\"no\":" + number + ",\"nextUpdate\":\"" + nextUpdate
                        + "\",\"entries\":[" + String.join(",", entries) + "]}");
        byte[] signature = KEY.sign(Octets.utf8(signed), "SHA256withECDSAinP1363Format");
        return signed + '.' + Octets.base64Url(signature);
    }

    private static String encoded(String json) {
        return Octets.base64Url(Octets.utf8(json));
    }
}
