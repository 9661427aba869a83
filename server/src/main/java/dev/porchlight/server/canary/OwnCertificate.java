// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.canary;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trusts the certificates that are this service's own, and no other. They are not for the address that is connected to, which is
 * one of this machine, and may be signed by anybody; that they are ours is all there is to know. Thread-safe.
 */
public final class OwnCertificate extends X509ExtendedTrustManager {
    private final Supplier<List<KeyStore>> shown;

    public OwnCertificate(Supplier<List<KeyStore>> shown) {
        this.shown = shown;
    }

    /** For connections to this service only. */
    public SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {this}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has TLS", e);
        }
    }

    private void check(X509Certificate[] chain) throws CertificateException {
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

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        throw new CertificateException("there are no clients here");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
            throws CertificateException {
        throw new CertificateException("there are no clients here");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
            throws CertificateException {
        throw new CertificateException("there are no clients here");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
