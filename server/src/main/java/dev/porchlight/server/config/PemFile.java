// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A PEM file and its content. An unusable file is refused with an {@link IllegalArgumentException} that describes the
 * accepted content.
 */
record PemFile<T>(String name, String text, T content) {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN ([A-Z ]*)PRIVATE KEY-----([^-]*)-----END [A-Z ]*PRIVATE KEY-----");

    /** Only the name, because the text may be a private key. */
    @Override
    public String toString() {
        return name;
    }

    /** Reads certificates, the server's own first. */
    static PemFile<List<Certificate>> certificates(String name) {
        String text = read(name);
        try {
            var chain = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)));
            if (!chain.isEmpty()) {
                return new PemFile<>(name, text, List.copyOf(chain));
            }
        } catch (CertificateException e) {
            // reported below, like a file without certificates
        }
        throw new IllegalArgumentException(
                "must be a PEM file with -----BEGIN CERTIFICATE-----, the server's own certificate first");
    }

    /** Reads a private key in PKCS #8. */
    static PemFile<PrivateKey> key(String name) {
        String text = read(name);
        Matcher pem = KEY.matcher(text);
        if (!pem.find() || !pem.group(1).isEmpty()) {
            throw new IllegalArgumentException(
                    "must be a PEM file with -----BEGIN PRIVATE KEY-----, for example: openssl pkcs8 -topk8 -nocrypt -in "
                            + name);
        }
        for (String algorithm : List.of("EC", "RSA")) {
            try {
                var encoded = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem.group(2)));
                return new PemFile<>(
                        name, text, KeyFactory.getInstance(algorithm).generatePrivate(encoded));
            } catch (IllegalArgumentException | GeneralSecurityException e) {
                // try the other algorithm
            }
        }
        throw new IllegalArgumentException("must be an unencrypted EC or RSA key");
    }

    boolean hasChanged() {
        return !read(name).equals(text);
    }

    private static String read(String name) {
        return new String(Parsers.file(name, Integer.MAX_VALUE), StandardCharsets.ISO_8859_1);
    }
}
