// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** The service: HTTP, configuration, wiring. */
@NullMarked
@SuppressWarnings("requires-automatic") // Jedis has a module name and no descriptor
module dev.porchlight.server {
    requires com.nimbusds.jose.jwt;
    requires com.zaxxer.hikari;
    requires dev.porchlight.base;
    requires dev.porchlight.observe;
    requires dev.porchlight.observe.slf4j;
    requires dev.porchlight.passkey;
    requires info.picocli;
    requires io.nayuki.qrcodegen;
    requires jakarta.mail;
    requires java.management;
    requires java.net.http;
    requires java.sql;
    requires oauth2.oidc.sdk;
    requires org.apache.commons.pool2;
    requires org.eclipse.angus.mail;
    requires org.eclipse.jetty.alpn.server;
    requires org.eclipse.jetty.http;
    requires org.eclipse.jetty.http2.common;
    requires org.eclipse.jetty.http2.server;
    requires org.eclipse.jetty.io;
    requires org.eclipse.jetty.server;
    requires org.eclipse.jetty.util;
    requires redis.clients.jedis;
    requires static org.jspecify;

    opens dev.porchlight.server.operator.cli to
            info.picocli;

    uses java.security.Provider;

    provides System.LoggerFinder with
            dev.porchlight.server.telemetry.SystemLogs;
}
