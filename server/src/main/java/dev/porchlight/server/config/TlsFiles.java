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

/** The files with the server's certificates and private key, as they were when they were read. Immutable. */
public final class TlsFiles {
    private final PemFile<List<Certificate>> certificates;
    private final PemFile<PrivateKey> key;
    private final KeyStore identity;

    /** Combines both files; a key of another certificate is refused with an {@link IllegalArgumentException}. */
    TlsFiles(PemFile<List<Certificate>> certificates, PemFile<PrivateKey> key) {
        this.certificates = certificates;
        this.key = key;
        this.identity = identity(certificates.content(), key.content());
    }

    /**
     * These files as they are now: the same object if nothing changed.
     *
     * @throws IllegalArgumentException if they changed and cannot be used, with what is needed
     */
    public TlsFiles reread() {
        return certificates.hasChanged() || key.hasChanged()
                ? new TlsFiles(PemFile.certificates(certificates.name()), PemFile.key(key.name()))
                : this;
    }

    /** A store with the private key and its certificates, under the name {@code server}. */
    public KeyStore identity() {
        return identity;
    }

    private static KeyStore identity(List<Certificate> chain, PrivateKey key) {
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
}
