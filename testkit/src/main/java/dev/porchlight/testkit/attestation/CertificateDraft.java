// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.attestation;

import dev.porchlight.testkit.key.CredentialKey;
import dev.porchlight.testkit.wire.Der;
import dev.porchlight.testkit.wire.Octets;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** A mutable X.509 certificate before it is signed with ECDSA and SHA-256. */
public final class CertificateDraft {
    private static final byte[] ECDSA_SHA256 = Der.sequence(Der.oid("1.2.840.10045.4.3.2"));
    private static final String BASIC_CONSTRAINTS = "2.5.29.19";

    private int version = 3;
    private BigInteger serial = BigInteger.ONE;
    private byte[] subject = Der.sequence();
    private PublicKey key;
    private Instant notBefore = Instant.parse("2020-01-01T00:00:00Z");
    private Instant notAfter = Instant.parse("2049-12-31T23:59:59Z");
    private final Map<String, byte[]> extensions = new LinkedHashMap<>();

    /** Creates a draft for an end-entity certificate of this key. */
    public CertificateDraft(PublicKey key) {
        this.key = key;
        authority(false);
    }

    /** Encodes a distinguished name from alternating attribute types and values. Two-letter values become printable strings. */
    static byte[] name(String... typesAndValues) {
        byte[][] parts = new byte[typesAndValues.length / 2][];
        for (int i = 0; i < parts.length; i++) {
            String value = typesAndValues[2 * i + 1];
            byte[] text = value.length() == 2 ? Der.printable(value) : Der.utf8(value);
            parts[i] = Der.set(Der.sequence(Der.oid(typesAndValues[2 * i]), text));
        }
        return Der.sequence(parts);
    }

    /** Sets a subject with country, organization, organizational unit and common name. */
    public CertificateDraft subject(String country, String organization, String unit, String commonName) {
        subject = name("2.5.4.6", country, "2.5.4.10", organization, "2.5.4.11", unit, "2.5.4.3", commonName);
        return this;
    }

    byte[] subject() {
        return subject;
    }

    CertificateDraft serial(BigInteger number) {
        serial = number;
        return this;
    }

    /** Sets the X.509 version, 1 or 3. Version 1 has no extensions. */
    public CertificateDraft version(int number) {
        version = number;
        return this;
    }

    public CertificateDraft key(PublicKey other) {
        key = other;
        return this;
    }

    public CertificateDraft validUntil(Instant end) {
        notAfter = end;
        return this;
    }

    public CertificateDraft validFrom(Instant begin) {
        notBefore = begin;
        return this;
    }

    /** Sets whether the certificate may issue others. */
    public CertificateDraft authority(boolean may) {
        return extension(BASIC_CONSTRAINTS, true, may ? Der.sequence(Der.bool(true)) : Der.sequence());
    }

    public CertificateDraft extension(String oid, boolean critical, byte[] value) {
        byte[] flag = critical ? Der.bool(true) : new byte[0];
        extensions.put(oid, Der.sequence(Der.oid(oid), flag, Der.octets(value)));
        return this;
    }

    public CertificateDraft without(String oid) {
        extensions.remove(oid);
        return this;
    }

    byte[] sign(byte[] issuer, CredentialKey issuerKey) {
        boolean plain = version == 1;
        byte[] toBeSigned = Der.sequence(
                plain ? new byte[0] : Der.tagged(0, Der.integer(version - 1)),
                Der.integer(serial),
                ECDSA_SHA256,
                issuer,
                Der.sequence(Der.utcTime(notBefore), Der.utcTime(notAfter)),
                subject,
                key.getEncoded(),
                plain || extensions.isEmpty()
                        ? new byte[0]
                        : Der.tagged(3, Der.sequence(extensions.values().toArray(byte[][]::new))));
        return Der.sequence(toBeSigned, ECDSA_SHA256, Der.bits(issuerKey.sign(toBeSigned)));
    }

    static X509Certificate read(byte[] der) {
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
        } catch (CertificateException e) {
            throw new IllegalStateException("wrote an unreadable certificate " + Octets.base64Url(der), e);
        }
    }
}
