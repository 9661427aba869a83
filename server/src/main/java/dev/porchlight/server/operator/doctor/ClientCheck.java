// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.client.ClientAdministration;
import dev.porchlight.server.openid.client.ClientAdministration.Kind;
import dev.porchlight.server.openid.client.ClientSettings.Profile;
import dev.porchlight.server.openid.client.Clients;
import dev.porchlight.server.storage.UserGroups;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.SecureRandom;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks that users can sign in to the registered OpenID Connect clients, and each client against the discovery document. */
final class ClientCheck {
    private final Examination examination;
    private final Config config;
    private final URI issuer;
    private final Sql sql;

    private ClientCheck(Examination examination, Sql sql) {
        this.examination = examination;
        this.config = examination.config();
        this.issuer = URI.create(config.relyingParty().origin());
        this.sql = sql;
    }

    /** Checks all clients, or one by its flow. Adds nothing if no client is registered. */
    static void run(Examination examination, Sql sql) {
        List<Client> clients = new Clients(sql, examination.clock(), new SecureRandom()).all();
        String only = examination.client();
        if (clients.isEmpty() && only == null) {
            return;
        }
        List<Client> checked = clients.stream()
                .filter(client -> only == null || client.id().equals(only))
                .toList();
        if (checked.isEmpty()) {
            examination.problem("there is no application " + only, "./porchlight clients list");
            return;
        }
        boolean on = examination.expect(
                examination.config().get(Settings.LOGIN_RESULT).session(),
                "OpenID Connect is on; clients: " + clients.size(),
                "OpenID Connect is off, because it needs sessions and LOGIN_RESULT is token",
                "export LOGIN_RESULT=both");
        Discovery discovery = on ? Discovery.read(examination) : null;
        var check = new ClientCheck(examination, sql);
        checked.forEach(client -> check.run(client, discovery));
        if (only != null && discovery != null) {
            checked.forEach(client -> new ClientFlow(examination, client).run());
        }
    }

    private void run(Client client, @Nullable Discovery discovery) {
        int before = examination.results().size();
        checkSettings(client);
        checkGroups(client);
        checkRedirectUris(client);
        checkBackChannel(client);
        if (discovery != null) {
            discovery.check(client, examination);
            if (examination.results().size() == before) {
                examination.ok("the application " + client.id() + " matches the discovery document");
            }
        }
        if (client.settings().rules().profile() == Profile.BASIC) {
            examination.warning("the application " + client.id()
                    + " has the profile basic, which is weaker: PKCE is optional."
                    + " If its library sends PKCE: ./porchlight clients change " + client.id() + " --profile default");
        }
    }

    /** The rules for new clients: stored ones may have been changed in the database. */
    private void checkSettings(Client client) {
        ClientAdministration.problems(
                        client.id(),
                        client.name(),
                        client.settings(),
                        Kind.of(client),
                        config.relyingParty().rpId())
                .forEach(problem -> examination.problem(
                        "the application " + client.id() + " has invalid settings. " + printable(problem),
                        "./porchlight clients change " + client.id() + " --help   # the option for it"));
    }

    private void checkGroups(Client client) {
        List<String> empty = client.settings().groups().stream()
                .filter(group -> UserGroups.members(sql, group).isEmpty())
                .toList();
        if (!empty.isEmpty()) {
            examination.problem(
                    empty.size() == client.settings().groups().size()
                            ? "no user can sign in to the application " + client.id() + ": its groups have no members"
                            : "groups of the application " + client.id() + " have no members: "
                                    + String.join(", ", empty),
                    "./porchlight groups add " + empty.get(0) + " USER");
        }
    }

    private void checkRedirectUris(Client client) {
        String fix = "./porchlight clients change " + client.id() + " --redirect-uri https://…";
        boolean remote = !config.local() && !client.isPublic();
        refuse(client, uri -> remote && uri.startsWith("http:"), "returns users to their own machine", fix);
        refuse(
                client,
                this::isOwn,
                "is on the host of this service, whose session cookie it receives",
                fix + "   # on another host");
        refuse(
                client,
                uri -> SimilarHosts.areSimilar(issuer.getHost(), host(uri)),
                "returns users to a host that is similar to " + issuer.getHost() + ", as in phishing",
                fix + "   # or, if it is not yours: ./porchlight clients remove " + client.id());
    }

    /** Reports the redirect URIs that are wrong in some way. */
    private void refuse(Client client, Predicate<String> wrong, String what, String fix) {
        String uris = client.settings().redirectUris().stream().filter(wrong).collect(Collectors.joining(", "));
        if (!uris.isEmpty()) {
            examination.problem("the application " + client.id() + ' ' + what + ": " + printable(uris), fix);
        }
    }

    /** On a developer's machine, applications share the host and differ in the port. */
    private boolean isOwn(String uri) {
        return issuer.getHost().equalsIgnoreCase(host(uri))
                && (!config.local() || issuer.getPort() == URI.create(uri).getPort());
    }

    /** The host of an http or https URI; empty if it has none. */
    private static String host(String uri) {
        try {
            return uri.startsWith("http")
                    ? Objects.requireNonNullElse(URI.create(uri).getHost(), "")
                    : "";
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
            HttpClient http = HttpClient.newBuilder()
                    .connectTimeout(examination.timeout())
                    .build();
            var unused = HttpProbe.send(http, HttpRequest.newBuilder(URI.create(uri)), examination.timeout());
        } catch (IOException e) {
            examination.problem(
                    "the application " + client.id() + " gets no logout notices: " + printable(uri)
                            + " cannot be reached: " + printable(HttpProbe.cause(e)),
                    "curl -v " + printable(uri) + "   # shows where it fails: DNS, port or TLS");
        }
    }

    /** A text from elsewhere, without control characters. */
    static String printable(Object text) {
        return text.toString().replaceAll("\\p{C}", "?");
    }

    /**
     * The discovery document that clients read.
     *
     * @param algorithms of ID tokens
     * @param methods by which clients authenticate
     */
    record Discovery(List<String> algorithms, List<String> methods) {
        static final String PATH = "/.well-known/openid-configuration";

        /** Reads the document of a running service; null if there is none to compare clients with. */
        static @Nullable Discovery read(Examination examination) {
            String issuer = examination.config().relyingParty().origin();
            URI address = ClientFlow.address(examination, PATH);
            try {
                HttpResponse<String> response = new HttpProbe(examination.timeout()).get(address);
                if (response.statusCode() != 200) {
                    examination.problem(
                            address + " responds with " + response.statusCode() + ", although clients are registered",
                            "./porchlight serve   # with the same DATABASE_URL, DATA_DIR and LOGIN_RESULT as this command");
                    return null;
                }
                JsonObject document = JsonObject.parse(response.body(), "discovery");
                String served = document.text("issuer");
                if (!served.equals(issuer)) {
                    examination.problem(
                            "discovery names the issuer " + printable(served) + ", but RP_ORIGIN is " + issuer
                                    + ": clients refuse tokens of another issuer",
                            "export RP_ORIGIN=" + issuer + "   # for the service too, and restart it");
                }
                return new Discovery(
                        document.texts("id_token_signing_alg_values_supported"),
                        document.texts("token_endpoint_auth_methods_supported"));
            } catch (IOException e) {
                examination.skipped("clients and discovery: compared only while the service runs at " + address);
            } catch (MalformedException e) {
                examination.problem(
                        address + " is not a discovery document: " + printable(String.valueOf(e.getMessage())),
                        "curl -i " + address + "   # shows what responds instead of the service");
            }
            return null;
        }

        /** Compares what a client needs with what the service offers. */
        void check(Client client, Examination examination) {
            String algorithm = client.settings().idTokenAlgorithm();
            if (!algorithms.contains(algorithm)) {
                examination.problem(
                        "the application " + client.id() + " needs ID tokens with " + printable(algorithm)
                                + ", but discovery offers " + printable(algorithms),
                        "./porchlight clients change " + client.id() + " --id-token-algorithm ES256");
            }
            if (client.authenticationMethods().stream().noneMatch(methods::contains)) {
                examination.problem(
                        "the application " + client.id() + " authenticates with "
                                + String.join(" or ", client.authenticationMethods()) + ", but discovery offers "
                                + printable(methods),
                        "./porchlight clients remove " + client.id()
                                + "   # and add it again with another method, or update the running service");
            }
        }
    }
}
