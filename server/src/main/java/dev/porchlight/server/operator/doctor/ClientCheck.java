// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.client.ClientAdministration;
import dev.porchlight.server.openid.client.Clients;
import dev.porchlight.server.openid.client.Groups;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks that users can sign in to the registered OpenID Connect clients, and each client against the discovery document. */
final class ClientCheck {
    private final Config config;
    private final @Nullable URI url;
    private final Duration timeout;
    private final Groups groups;
    private final List<Client> clients;
    private final List<Diagnosis> results = new ArrayList<>();

    /** @param url the public URL, or null for the issuer */
    ClientCheck(Config config, Sql sql, InstantSource clock, @Nullable URI url, Duration timeout) {
        this.config = config;
        this.url = url;
        this.timeout = timeout;
        this.groups = new Groups(sql);
        this.clients = new Clients(sql, clock, new SecureRandom()).all();
    }

    /** Nothing if no client is registered. */
    List<Diagnosis> run() {
        if (clients.isEmpty()) {
            return results;
        }
        String issuer = config.relyingParty().origin();
        boolean on = config.get(Settings.LOGIN_RESULT).session();
        if (on) {
            results.add(Diagnosis.ok("OpenID Connect is on; clients: " + clients.size()));
        } else {
            wrong(
                    "OpenID Connect is off, because it needs sessions and LOGIN_RESULT is token",
                    "export LOGIN_RESULT=both");
        }
        Discovery discovery =
                on ? Discovery.read(url == null ? URI.create(issuer) : url, issuer, timeout, results) : null;
        for (Client client : clients) {
            int before = results.size();
            checkSettings(client);
            checkGroups(client);
            checkRedirectUris(client);
            checkBackChannel(client);
            if (discovery != null) {
                discovery.check(client, results);
            }
            if (discovery != null && results.size() == before) {
                results.add(Diagnosis.ok("the client " + client.id() + " matches the discovery document"));
            }
        }
        return results;
    }

    /** The rules for new clients: stored ones may have been changed in the database. */
    private void checkSettings(Client client) {
        boolean keysForbidden = client.secretHash() != null;
        ClientAdministration.problems(
                        client.id(),
                        client.name(),
                        client.settings(),
                        keysForbidden,
                        config.relyingParty().rpId())
                .forEach(problem -> wrong(
                        "the client " + client.id() + " has invalid settings. " + Discovery.printable(problem),
                        "./porchlight clients change " + client.id() + " --help   # the option for it"));
    }

    private void checkGroups(Client client) {
        List<String> empty = client.settings().groups().stream()
                .filter(group -> groups.members(group).isEmpty())
                .toList();
        if (empty.isEmpty()) {
            return;
        }
        wrong(
                empty.size() == client.settings().groups().size()
                        ? "no user can sign in to the client " + client.id() + ": its groups have no members"
                        : "groups of the client " + client.id() + " have no members: " + String.join(", ", empty),
                "./porchlight groups add " + empty.get(0) + " USER");
    }

    private void checkRedirectUris(Client client) {
        String fix = "./porchlight clients change " + client.id() + " --redirect-uri https://…";
        List<String> uris = client.settings().redirectUris();
        List<String> local =
                uris.stream().filter(uri -> uri.startsWith("http:")).toList();
        if (!config.local() && !client.isPublic() && !local.isEmpty()) {
            wrong("the client " + client.id() + " returns users to their own machine: " + join(local), fix);
        }
        List<String> own = uris.stream().filter(this::isOwn).toList();
        if (!own.isEmpty()) {
            wrong(
                    "the client " + client.id() + " is on the host of this service, whose session cookie it receives: "
                            + join(own),
                    fix + "   # on another host");
        }
        String host = URI.create(config.relyingParty().origin()).getHost();
        List<String> similar = uris.stream()
                .filter(uri -> SimilarHosts.areSimilar(host, host(uri)))
                .toList();
        if (!similar.isEmpty()) {
            wrong(
                    "the client " + client.id() + " returns users to a host that is similar to " + host
                            + ", as in phishing: " + join(similar),
                    fix + "   # or, if it is not yours: ./porchlight clients remove " + client.id());
        }
    }

    /** On a developer's machine, applications share the host and differ in the port. */
    private boolean isOwn(String uri) {
        URI issuer = URI.create(config.relyingParty().origin());
        return issuer.getHost().equalsIgnoreCase(host(uri))
                && (!config.local() || issuer.getPort() == URI.create(uri).getPort());
    }

    /** The host of an http or https URI; empty if it has none. */
    private static String host(String uri) {
        try {
            String host = uri.startsWith("http") ? URI.create(uri).getHost() : null;
            return host == null ? "" : host;
        } catch (IllegalArgumentException e) {
            return ""; // reported with the settings
        }
    }

    /** Requests the URI as the service does, but without a logout token, so any response is accepted. */
    private void checkBackChannel(Client client) {
        String uri = client.settings().backChannelLogoutUri();
        if (uri == null || host(uri).isEmpty()) {
            return;
        }
        try {
            HttpClient http = HttpClient.newBuilder().connectTimeout(timeout).build();
            var unused = HttpProbe.send(http, HttpRequest.newBuilder(URI.create(uri)), timeout);
        } catch (IOException e) {
            String cause = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            wrong(
                    "the client " + client.id() + " gets no logout notices: " + Discovery.printable(uri)
                            + " cannot be reached: " + Discovery.printable(cause),
                    "curl -v " + Discovery.printable(uri) + "   # shows where it fails: DNS, port or TLS");
        }
    }

    private static String join(List<String> uris) {
        return Discovery.printable(String.join(", ", uris));
    }

    private void wrong(String what, String fix) {
        results.add(Diagnosis.problem(what, fix));
    }
}
