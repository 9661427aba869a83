// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import dev.porchlight.server.tls.ServerTrust;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Accepts and records any certificate, so that a service with an invalid one can be checked. Nothing secret may be sent on such a
 * connection before the certificate was verified.
 */
final class RecordingTrust extends ServerTrust {
    private volatile List<X509Certificate> seen = List.of();

    /** The last certificate chain, the server's own first; empty before a handshake. */
    List<X509Certificate> seen() {
        return seen;
    }

    /** The JDK's trust anchors, which are similar to those of browsers. */
    static X509ExtendedTrustManager ofTheJdk() {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init((KeyStore) null);
            return Stream.of(factory.getTrustManagers())
                    .filter(X509ExtendedTrustManager.class::isInstance)
                    .map(X509ExtendedTrustManager.class::cast)
                    .findFirst()
                    .orElseThrow();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no trust anchors", e);
        }
    }

    @Override
    protected void verify(X509Certificate[] chain) {
        seen = List.of(chain);
    }
}
