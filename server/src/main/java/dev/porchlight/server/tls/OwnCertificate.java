// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.tls;

import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/**
 * Trusts the certificates that are this service's own, and no other. They are not for the address that is connected to, which is
 * one of this machine, and may be signed by anybody; that they are ours is all there is to know. Thread-safe.
 */
public final class OwnCertificate extends ServerTrust {
    private final Supplier<List<KeyStore>> shown;

    public OwnCertificate(Supplier<List<KeyStore>> shown) {
        this.shown = shown;
    }

    @Override
    protected void judge(X509Certificate[] chain) throws CertificateException {
        try {
            for (KeyStore own : shown.get()) {
                for (String alias : Collections.list(own.aliases())) {
                    if (chain[0].equals(own.getCertificate(alias))) {
                        return;
                    }
                }
            }
        } catch (KeyStoreException e) {
            throw new CertificateException(e);
        }
        throw new CertificateException("this is not the certificate of this service");
    }
}
