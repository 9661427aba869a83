// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.tls;

import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collections;

/**
 * Trusts only this service's own certificate. Host name and issuer are not checked: the service is reached at a local address,
 * and comparing the certificate itself is sufficient. Thread-safe.
 */
public final class OwnCertificate extends ServerTrust {
    private final KeyStore identity;

    public OwnCertificate(KeyStore identity) {
        this.identity = identity;
    }

    @Override
    protected void verify(X509Certificate[] chain) throws CertificateException {
        try {
            for (String alias : Collections.list(identity.aliases())) {
                if (chain[0].equals(identity.getCertificate(alias))) {
                    return;
                }
            }
        } catch (KeyStoreException e) {
            throw new CertificateException(e);
        }
        throw new CertificateException("the certificate is not this service's own");
    }
}
