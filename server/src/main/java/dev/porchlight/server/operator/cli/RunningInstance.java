// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonTree;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.tls.OwnCertificate;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A client of the console's API of a running instance. Follows no redirects, because it sends the admin token. */
final class RunningInstance {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Pattern THIS_MACHINE = Pattern.compile("localhost|127(?:\\.\\d{1,3}){3}|\\[::1]");

    private final URI address;
    private final Optional<String> token;
    private final HttpClient client;

    private RunningInstance(URI address, Optional<String> token, HttpClient client) {
        this.address = address;
        this.token = token;
        this.client = client;
    }

    /**
     * The instance at an address; without one, the instance that this configuration starts on this machine, whose certificate is
     * trusted for any name.
     */
    static RunningInstance of(Config config, @Nullable URI url) throws IOException {
        URI address = url == null ? config.ownAddress() : url;
        String host = address.getHost();
        boolean safe = "https".equals(address.getScheme())
                || "http".equals(address.getScheme())
                        && host != null
                        && (THIS_MACHINE.matcher(host).matches() || url == null && isThisMachine(host));
        if (host == null || !safe) {
            throw new IOException(
                    address + " must be https unless it is on this machine, because ADMIN_TOKEN is sent there");
        }
        HttpClient.Builder client = HttpClient.newBuilder().connectTimeout(TIMEOUT);
        if (url == null) {
            client.proxy(HttpClient.Builder.NO_PROXY);
            config.tls()
                    .map(files -> new OwnCertificate(files.identity()))
                    .ifPresent(certificate -> client.sslContext(certificate.context()));
        }
        return new RunningInstance(address, config.get(Settings.ADMIN_TOKEN), client.build());
    }

    /** Whether a host is an address of this machine. */
    private static boolean isThisMachine(String host) throws IOException {
        return NetworkInterface.getByInetAddress(InetAddress.getByName(host)) != null;
    }

    /** Returns the {@code ceremonies} with this support code, correlation id or trace id, newest first. */
    Map<String, Object> find(String code) throws IOException {
        String segment = URLEncoder.encode(code, StandardCharsets.UTF_8).replace("+", "%20");
        return send(request("/admin/ceremonies/" + segment));
    }

    /** Returns the {@code steps} of a refused response that is kept. */
    Map<String, Object> explain(String traceId) throws IOException {
        String body = JsonWriter.object(json -> json.text("code", traceId));
        return send(request("/console/api/explain")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(address.resolve(path)).timeout(TIMEOUT);
    }

    private Map<String, Object> send(HttpRequest.Builder request) throws IOException {
        token.ifPresent(value -> request.header("Authorization", "Bearer " + value));
        try {
            HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            Map<String, Object> members = JsonTree.parse(response.body());
            if (response.statusCode() == 401) {
                throw new IOException(
                        "the service requires an operator: set ADMIN_TOKEN to the service's, or to a token from"
                                + " ./porchlight tokens add NAME --role support");
            }
            if (response.statusCode() != 200) {
                JsonObject problem = JsonObject.of(members);
                String detail = problem.optionalText("detail");
                throw new IOException(problem.text("error") + (detail == null ? "" : " " + detail));
            }
            return members;
        } catch (ConnectException e) {
            throw new IOException("no service listens at " + address + ". Start it, or set its address with --url");
        } catch (MalformedException | IllegalArgumentException e) {
            throw new IOException(address + " is not a Porchlight service", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
