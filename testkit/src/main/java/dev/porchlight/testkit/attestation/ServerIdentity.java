// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.attestation;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.porchlight.testkit.key.CredentialKey;
import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.wire.Der;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;

/** A P-256 key and a self-signed certificate, for TLS servers in tests. Immutable. */
public final class ServerIdentity {
    private static final String ALTERNATIVE_NAMES = "2.5.29.17";
    private static final int DNS_NAME = 0x82;

    private final CredentialKey key = KeyAlgorithm.ES256.generate(new SecureRandom());
    private final byte[] certificate;

    private ServerIdentity(String host, Instant from, Instant until) {
        CertificateDraft draft = new CertificateDraft(key.publicKey())
                .subject("CH", CertificateAuthority.ORGANIZATION, "Server", host)
                .validFrom(from)
                .validUntil(until)
                .extension(ALTERNATIVE_NAMES, false, Der.sequence(Der.element(DNS_NAME, host.getBytes(US_ASCII))));
        certificate = draft.sign(draft.subject(), key);
    }

    /** Creates an identity for this host, valid between these times. */
    public static ServerIdentity selfSigned(String host, Instant from, Instant until) {
        return new ServerIdentity(host, from, until);
    }

    public X509Certificate certificate() {
        return CertificateDraft.read(certificate);
    }

    public String certificatePem() {
        return pem("CERTIFICATE", certificate);
    }

    /** The private key in PKCS #8. */
    public String keyPem() {
        return pem("PRIVATE KEY", key.privateKey().getEncoded());
    }

    private static String pem(String label, byte[] content) {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN " + label + "-----\n" + lines + "\n-----END " + label + "-----\n";
    }
}
