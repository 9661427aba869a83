// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.porchlight.support.Patience;
import dev.porchlight.testkit.attestation.ServerIdentity;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** A key and certificate for test listeners, and clients that trust it. */
final class TestTls {
    private final ServerIdentity identity;

    TestTls() {
        Instant now = Instant.now();
        identity = ServerIdentity.selfSigned("localhost", now.minus(Duration.ofDays(1)), now.plus(Duration.ofDays(90)));
    }

    /** The key store for a listener. */
    KeyStore store() throws GeneralSecurityException, IOException {
        byte[] key = Base64.getMimeDecoder().decode(identity.keyPem().replaceAll("-----[^-]*-----", ""));
        Certificate certificate = CertificateFactory.getInstance("X.509")
                .generateCertificate(
                        new ByteArrayInputStream(identity.certificatePem().getBytes(US_ASCII)));
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(
                "server",
                KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(key)),
                new char[0],
                new Certificate[] {certificate});
        return store;
    }

    /** Opens a connection on which the client has selected HTTP/2 but sent nothing yet. */
    Socket http2(int port) throws GeneralSecurityException, IOException {
        SSLSocket socket =
                (SSLSocket) context().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        socket.setSSLParameters(parameters);
        socket.setSoTimeout(Patience.MILLIS);
        socket.startHandshake();
        return socket;
    }

    private SSLContext context() throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", identity.certificate());
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }
}
