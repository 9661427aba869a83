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
 * Takes any certificate and remembers it, so that a service whose certificate is wrong can be examined all the same. Nothing
 * secret may be sent on such a connection before the certificate was judged.
 */
final class Trust extends ServerTrust {
    private volatile List<X509Certificate> seen = List.of();

    /** What the server showed last, its own certificate first; empty before a handshake. */
    List<X509Certificate> seen() {
        return seen;
    }

    /** The authorities that come with the JDK, much like those that come with browsers. */
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
            throw new IllegalStateException("this JDK trusts nobody", e);
        }
    }

    @Override
    protected void judge(X509Certificate[] chain) {
        seen = List.of(chain);
    }
}
