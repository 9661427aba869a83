// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.security.KeyStore;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.server.AbstractHTTP2ServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.WindowRateControl;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/**
 * What a listener speaks: HTTP/1.1 and HTTP/2, which clients choose in the TLS handshake or, without TLS, by knowing it
 * beforehand or asking for the upgrade, as proxies do.
 */
final class Protocols {
    /** Resets, pings, settings and empty frames a second on one connection; a client that sends more is cut off. */
    private static final int CONTROL_FRAMES_PER_SECOND = 128;

    private final Limits limits;

    Protocols(Limits limits) {
        this.limits = limits;
    }

    ConnectionFactory[] over(SslContextFactory.@Nullable Server tls) {
        return tls == null ? plain() : secure(tls);
    }

    private ConnectionFactory[] plain() {
        HttpConfiguration http = http();
        return new ConnectionFactory[] {
            new HttpConnectionFactory(http), bounded(new HTTP2CServerConnectionFactory(http))
        };
    }

    private ConnectionFactory[] secure(SslContextFactory.Server tls) {
        HttpConfiguration http = http();
        // No host check: probes come by address, and what a passkey is bound to is not the Host header.
        http.addCustomizer(new SecureRequestCustomizer(false));
        ALPNServerConnectionFactory choice = new ALPNServerConnectionFactory();
        choice.setDefaultProtocol(HttpVersion.HTTP_1_1.asString());
        return new ConnectionFactory[] {
            new SslConnectionFactory(tls, choice.getProtocol()),
            choice,
            bounded(new HTTP2ServerConnectionFactory(http)),
            new HttpConnectionFactory(http)
        };
    }

    private HttpConfiguration http() {
        HttpConfiguration http = new HttpConfiguration();
        http.setRequestHeaderSize(limits.headerBytes());
        http.setSendServerVersion(false);
        http.setSendXPoweredBy(false);
        http.setHttpCompliance(HttpCompliance.RFC9110);
        http.setUriCompliance(UriCompliance.DEFAULT);
        return http;
    }

    private <F extends AbstractHTTP2ServerConnectionFactory> F bounded(F http2) {
        http2.setMaxConcurrentStreams(limits.streams());
        http2.setMaxHeaderBlockFragment(limits.headerBytes());
        http2.setMaxSettingsKeys(16);
        http2.setStreamIdleTimeout(limits.idleTime().toMillis());
        http2.setConnectProtocolEnabled(false);
        http2.setRateControlFactory(new WindowRateControl.Factory(CONTROL_FRAMES_PER_SECOND));
        return http2;
    }

    /** TLS as we speak it, with this identity: a store with one private key and its certificates. */
    static SslContextFactory.Server tls(KeyStore identity) {
        SslContextFactory.Server tls = new SslContextFactory.Server();
        tls.setKeyStore(identity);
        tls.setKeyStorePassword(""); // the store is in memory, and so would be its password
        tls.setIncludeProtocols("TLSv1.3", "TLSv1.2");
        tls.setRenegotiationAllowed(false);
        tls.setSniRequired(false);
        return tls;
    }
}
