// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.tls;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** A trust manager that verifies servers by their certificates alone, and refuses all clients. Implementations are thread-safe. */
public abstract class ServerTrust extends X509ExtendedTrustManager {
    /** Throws unless a server with these certificates, its own first, is trusted. */
    protected abstract void verify(X509Certificate[] chain) throws CertificateException;

    /** Returns a context for connections to trusted servers. */
    public final SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {this}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has TLS", e);
        }
    }

    @Override
    public final void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        verify(chain);
    }

    @Override
    public final void checkServerTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
            throws CertificateException {
        verify(chain);
    }

    @Override
    public final void checkServerTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
            throws CertificateException {
        verify(chain);
    }

    @Override
    public final void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        throw noClients();
    }

    @Override
    public final void checkClientTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
            throws CertificateException {
        throw noClients();
    }

    @Override
    public final void checkClientTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
            throws CertificateException {
        throw noClients();
    }

    @Override
    public final X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }

    private static CertificateException noClients() {
        return new CertificateException("client certificates are not supported");
    }
}
