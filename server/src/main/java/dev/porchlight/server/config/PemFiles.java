// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what a server shows in a TLS handshake from two PEM files: its certificates, leaf first, and the leaf's private key in
 * PKCS #8. What cannot be used is refused with an {@link IllegalArgumentException} that says what would be right.
 */
final class PemFiles {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN ([A-Z ]*)PRIVATE KEY-----([^-]*)-----END [A-Z ]*PRIVATE KEY-----");

    private PemFiles() {}

    static List<Certificate> certificates(String file) {
        try {
            var chain =
                    CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(read(file)));
            if (!chain.isEmpty()) {
                return List.copyOf(chain);
            }
        } catch (CertificateException told) {
            // below, like a file without any
        }
        throw new IllegalArgumentException(
                "a PEM file with -----BEGIN CERTIFICATE----- is needed, the server's own certificate first");
    }

    static PrivateKey key(String file) {
        Matcher pem = KEY.matcher(text(file));
        if (!pem.find() || !pem.group(1).isEmpty()) {
            throw new IllegalArgumentException(
                    "a PEM file with -----BEGIN PRIVATE KEY----- is needed, as from: openssl pkcs8 -topk8 -nocrypt -in "
                            + file);
        }
        for (String algorithm : List.of("EC", "RSA")) {
            try {
                var encoded = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem.group(2)));
                return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
            } catch (IllegalArgumentException | GeneralSecurityException perhapsTheOther) {
                // told below if neither it is
            }
        }
        throw new IllegalArgumentException("an unencrypted EC or RSA key is needed");
    }

    /** Both as the TLS library wants them; refused if the key is not the first certificate's. */
    static KeyStore identity(List<Certificate> chain, PrivateKey key) {
        try {
            if (!belongsTo(chain.get(0).getPublicKey(), key)) {
                throw new IllegalArgumentException(
                        "the private key of the first certificate in TLS_CERTIFICATE is needed");
            }
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("server", key, new char[0], chain.toArray(Certificate[]::new));
            return store;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException("a key and certificates that this JDK can use are needed", e);
        }
    }

    private static boolean belongsTo(PublicKey certified, PrivateKey key) throws GeneralSecurityException {
        if (!certified.getAlgorithm().equals(key.getAlgorithm())) {
            return false;
        }
        Signature signature =
                Signature.getInstance(key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA");
        signature.initSign(key);
        signature.update((byte) 1);
        byte[] signed = signature.sign();
        signature.initVerify(certified);
        signature.update((byte) 1);
        return signature.verify(signed);
    }

    static String text(String file) {
        return new String(read(file), StandardCharsets.ISO_8859_1);
    }

    private static byte[] read(String file) {
        try {
            return Files.readAllBytes(Path.of(file));
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("there is no file " + file);
        } catch (IOException e) {
            throw new IllegalArgumentException("the file " + file + " cannot be read");
        }
    }
}
