// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.security.KeyStore;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http.UriCompliance.Violation;
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
 * The protocols of a listener: over TLS, HTTP/1.1 and HTTP/2, selected by ALPN; without TLS, HTTP/1.1 only. A connection that a
 * proxy upgrades to cleartext HTTP/2 (h2c) would carry requests that the proxy does not see: its path rules would not apply,
 * and the requests would seem to come from its address.
 */
final class Protocols {
    /** The rate of resets, pings, settings, empty frames and window updates above which a connection is closed. */
    private static final int CONTROL_FRAMES_PER_SECOND = 128;

    /**
     * The rules for request paths. A user id in a path may contain encoded slashes, percent signs and backslashes. They are safe,
     * because routes match the path before it is decoded.
     */
    private static final UriCompliance PATHS = UriCompliance.DEFAULT.with(
            "porchlight",
            Violation.AMBIGUOUS_PATH_SEPARATOR,
            Violation.AMBIGUOUS_PATH_ENCODING,
            Violation.SUSPICIOUS_PATH_CHARACTERS);

    /** For TLS 1.2, the suites of BCP 195 (RFC 9325, section 4.2); all of TLS 1.3. */
    private static final String[] CIPHERS = {
        "TLS_AES_128_GCM_SHA256",
        "TLS_AES_256_GCM_SHA384",
        "TLS_CHACHA20_POLY1305_SHA256",
        "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
        "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
        "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
        "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"
    };

    private final Limits limits;

    Protocols(Limits limits) {
        this.limits = limits;
    }

    ConnectionFactory[] over(SslContextFactory.@Nullable Server tls) {
        return tls == null ? plain() : secure(tls);
    }

    private ConnectionFactory[] plain() {
        return new ConnectionFactory[] {new HttpConnectionFactory(http())};
    }

    private ConnectionFactory[] secure(SslContextFactory.Server tls) {
        HttpConfiguration http = http();
        // No host check: health probes use the IP address, and passkeys do not depend on the Host header.
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
        http.setUriCompliance(PATHS);
        // Otherwise a token in another case is read as the one before it on the same connection.
        http.setHeaderCacheCaseSensitive(true);
        return http;
    }

    private HTTP2ServerConnectionFactory bounded(HTTP2ServerConnectionFactory http2) {
        http2.setMaxConcurrentStreams(limits.streams());
        http2.setMaxHeaderBlockFragment(limits.headerBytes());
        http2.setMaxSettingsKeys(16);
        http2.setStreamIdleTimeout(limits.timeouts().idle().toMillis());
        http2.setConnectProtocolEnabled(false);
        http2.setRateControlFactory(new WindowRateControl.Factory(CONTROL_FRAMES_PER_SECOND));
        http2.setFlowControlStrategyFactory(WindowUpdates::new);
        http2.addEventListener(new WindowUpdates.Listener());
        return http2;
    }

    /** Configures TLS with a key store that has one private key and its certificates. */
    static SslContextFactory.Server tls(KeyStore identity) {
        SslContextFactory.Server tls = new SslContextFactory.Server();
        tls.setKeyStore(identity);
        tls.setKeyStorePassword(""); // the store is in memory only
        tls.setIncludeProtocols("TLSv1.3", "TLSv1.2");
        tls.setIncludeCipherSuites(CIPHERS);
        tls.setRenegotiationAllowed(false);
        tls.setSniRequired(false);
        return tls;
    }
}
