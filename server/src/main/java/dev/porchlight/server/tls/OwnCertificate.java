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
 * Trusts only this service's own certificates. Host name and issuer are not checked: the service is reached at a local address,
 * and comparing the certificate itself is sufficient. Thread-safe.
 */
public final class OwnCertificate extends ServerTrust {
    private final Supplier<List<KeyStore>> identities;

    public OwnCertificate(Supplier<List<KeyStore>> identities) {
        this.identities = identities;
    }

    @Override
    protected void verify(X509Certificate[] chain) throws CertificateException {
        try {
            for (KeyStore own : identities.get()) {
                for (String alias : Collections.list(own.aliases())) {
                    if (chain[0].equals(own.getCertificate(alias))) {
                        return;
                    }
                }
            }
        } catch (KeyStoreException e) {
            throw new CertificateException(e);
        }
        throw new CertificateException("the certificate is not this service's own");
    }
}
