// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.util.List;

/** The server's certificates and private key as read from their files. Immutable. */
public final class TlsFiles {
    private final PemFile<List<Certificate>> certificates;
    private final PemFile<PrivateKey> key;
    private final KeyStore identity;

    /** Combines both files; a key that does not match the certificate is refused with an {@link IllegalArgumentException}. */
    TlsFiles(PemFile<List<Certificate>> certificates, PemFile<PrivateKey> key) {
        this.certificates = certificates;
        this.key = key;
        this.identity = identity(certificates.content(), key.content());
    }

    /**
     * Reads the files again. Returns this object if nothing changed.
     *
     * @throws IllegalArgumentException if they changed and cannot be used; the message describes the accepted content
     */
    public TlsFiles reread() {
        return certificates.hasChanged() || key.hasChanged()
                ? new TlsFiles(PemFile.certificates(certificates.name()), PemFile.key(key.name()))
                : this;
    }

    /** A key store with the private key and its certificates, under the alias {@code server}. */
    public KeyStore identity() {
        return identity;
    }

    private static KeyStore identity(List<Certificate> chain, PrivateKey key) {
        try {
            if (!belongsTo(chain.get(0).getPublicKey(), key)) {
                throw new IllegalArgumentException(
                        "must be the private key of the first certificate in TLS_CERTIFICATE");
            }
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("server", key, new char[0], chain.toArray(Certificate[]::new));
            return store;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException("this JDK cannot use the key or the certificates", e);
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
}
