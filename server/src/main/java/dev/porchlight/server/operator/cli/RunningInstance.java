// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.operator.explain.Finding;
import dev.porchlight.server.tls.OwnCertificate;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An instance of the service that is asked as its console asks it. It follows no redirect: the admin token is for one place. */
final class RunningInstance {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Pattern THIS_MACHINE = Pattern.compile("localhost|127(?:\\.\\d{1,3}){3}|\\[::1]");

    private final URI address;
    private final Optional<String> token;
    private final HttpClient client;

    /**
     * What an instance said of a response that it refused.
     *
     * @param summary one line of which, when and where
     */
    record Explained(String summary, List<Finding> findings) {}

    private RunningInstance(URI address, Optional<String> token, HttpClient client) {
        this.address = address;
        this.token = token;
        this.client = client;
    }

    /**
     * The instance whose console is there; without an address, the one that this configuration starts on this machine, which is
     * known by the certificate in its files, for whatever name that is.
     */
    static RunningInstance of(Config config, @Nullable URI url) throws IOException {
        URI address = url == null ? own(config) : url;
        String host = address.getHost();
        boolean safe = "https".equals(address.getScheme())
                || "http".equals(address.getScheme())
                        && host != null
                        && (THIS_MACHINE.matcher(host).matches() || url == null && isOurs(host));
        if (host == null || !safe) {
            throw new IOException(
                    address + " must be https, or on this machine: ADMIN_TOKEN would travel in the clear");
        }
        HttpClient.Builder client = HttpClient.newBuilder().connectTimeout(PATIENCE);
        if (url == null) {
            client.proxy(HttpClient.Builder.NO_PROXY);
            config.tls()
                    .map(files -> new OwnCertificate(() -> List.of(files.identity())))
                    .ifPresent(certificate -> client.sslContext(certificate.context()));
        }
        return new RunningInstance(address, config.get(Settings.ADMIN_TOKEN), client.build());
    }

    private static URI own(Config config) {
        int port = config.get(Settings.MANAGEMENT_PORT).orElse(config.get(Settings.PORT));
        return URI.create((config.tls().isPresent() ? "https://" : "http://") + config.ownHost() + ':' + port);
    }

    /** Whether a host is an address of this machine, so that what is sent there does not leave it. */
    private static boolean isOurs(String host) throws IOException {
        return NetworkInterface.getByInetAddress(InetAddress.getByName(host)) != null;
    }

    Explained explain(String code) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address.resolve("/console/api/explain"))
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(JsonWriter.object(json -> json.text("code", code))));
        token.ifPresent(value -> request.header("Authorization", "Bearer " + value));
        try {
            HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            JsonObject json = JsonObject.parse(answer.body(), "answer");
            if (answer.statusCode() != 200) {
                String detail = json.optionalText("detail");
                throw new IOException(json.text("error") + (detail == null ? "" : ". " + detail));
            }
            return read(json);
        } catch (ConnectException e) {
            throw new IOException(
                    "no service accepts connections at " + address + ": start it, or give its address with --url");
        } catch (MalformedException e) {
            throw new IOException(address + " does not answer as the service would", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static Explained read(JsonObject json) throws MalformedException {
        JsonObject refusal = json.object("refusal");
        Instant at = Instant.ofEpochMilli(Objects.requireNonNullElse(refusal.optionalInteger("at"), 0L));
        String user = refusal.text("user");
        int others = json.texts("others").size();
        String summary = (json.text("ceremony").equals("login") ? "A sign-in" : "A new passkey")
                + (user.isEmpty() ? "" : " of " + user) + ", refused at " + at + " by " + refusal.text("step")
                + "; correlation id " + refusal.text("correlationId")
                + (others == 0 ? "" : "; " + others + " earlier with this code, found by " + json.texts("others"));
        List<Finding> findings = new ArrayList<>();
        for (JsonObject step : json.objects("steps")) {
            findings.add(Finding.read(step));
        }
        return new Explained(summary, findings);
    }
}
