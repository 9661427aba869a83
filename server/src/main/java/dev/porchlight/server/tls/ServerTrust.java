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

/** Judges servers by what they show, wherever they were reached, and no clients at all. To be safe for use by many threads. */
public abstract class ServerTrust extends X509ExtendedTrustManager {
    /** Returns if a server that shows these certificates, its own first, is to be spoken to. */
    protected abstract void judge(X509Certificate[] chain) throws CertificateException;

    /** For connections to servers that are judged so. */
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
        judge(chain);
    }

    @Override
    public final void checkServerTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
            throws CertificateException {
        judge(chain);
    }

    @Override
    public final void checkServerTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
            throws CertificateException {
        judge(chain);
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
        return new CertificateException("there are no clients here");
    }
}
