// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.auth.Operators;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.openid.Client;
import dev.porchlight.server.openid.ClientAdministration;
import dev.porchlight.server.openid.ClientAdministration.Registered;
import dev.porchlight.server.openid.ClientSettings;
import dev.porchlight.server.openid.Clients;
import dev.porchlight.server.wiring.StorageModule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The applications that sign users in through this service. */
@Command(
        name = "clients",
        header = "Register applications that sign users in with OpenID Connect.",
        subcommands = {
            ClientsCommand.Add.class,
            ClientsCommand.ListClients.class,
            ClientsCommand.Show.class,
            ClientsCommand.RotateSecret.class,
            ClientsCommand.Remove.class
        })
final class ClientsCommand extends CommandGroup {

    private static Clients clients(StorageModule storage) {
        return new Clients(storage.sql(), Clock.systemUTC(), new SecureRandom());
    }

    /** Changes clients with audit rows. */
    private static <R extends @Nullable Object> R change(
            StorageModule storage, Function<ClientAdministration, R> change) {
        return StorageCommand.write(
                storage,
                units -> change.apply(
                        new ClientAdministration(units, clients(storage), Operators.commandLine(), Clock.systemUTC())));
    }

    /** Registers a client. */
    @Command(
            name = "add",
            header = "Register an application and print its credentials.",
            description = {
                "",
                "The secret is shown once and stored as a hash. OpenID Connect is on while a client is registered.",
                "Ends with 1 if the id is taken or a setting is invalid."
            })
    static final class Add extends StorageCommand {
        @Parameters(paramLabel = "ID", description = "the client_id: 1 to 64 characters of a-z, 0-9, '.', '_', '-'")
        private String id = "";

        @Option(names = "--name", paramLabel = "NAME", description = "the name that users see; default: the id")
        private @Nullable String name;

        @Option(
                names = "--redirect-uri",
                paramLabel = "URI",
                required = true,
                description = "where users return to after sign-in; can be repeated")
        private List<String> redirectUris = new ArrayList<>();

        @Option(
                names = "--logout-uri",
                paramLabel = "URI",
                description = "where users may return to after sign-out; can be repeated")
        private List<String> logoutUris = new ArrayList<>();

        @Option(
                names = "--back-channel-logout-uri",
                paramLabel = "URI",
                description = "receives a logout token when a session ends")
        private @Nullable String backChannelLogoutUri;

        @Option(names = "--public", description = "a browser or native application, which cannot keep a secret")
        private boolean isPublic;

        @Option(
                names = "--group",
                paramLabel = "GROUP",
                description = "only members of this group may sign in; can be repeated")
        private List<String> groups = new ArrayList<>();

        @Option(
                names = "--id-token-algorithm",
                paramLabel = "ALGORITHM",
                defaultValue = "ES256",
                description = "ES256 or RS256; default: ${DEFAULT-VALUE}")
        private String algorithm = "ES256";

        @Option(
                names = "--session",
                paramLabel = "HOURS",
                defaultValue = "12",
                description = "for how many hours a sign-in can be refreshed; default: ${DEFAULT-VALUE}")
        private int hours = 12;

        @Option(names = "--third-party", description = "users must agree before their first sign-in")
        private boolean thirdParty;

        @Option(
                names = "--jwks",
                paramLabel = "FILE",
                description = "the client's public keys, for private_key_jwt instead of a secret")
        private @Nullable Path jwks;

        @Override
        int run(Config config, StorageModule storage) throws Exception {
            var settings = new ClientSettings(
                    redirectUris,
                    logoutUris,
                    backChannelLogoutUri,
                    algorithm,
                    groups,
                    Duration.ofHours(hours),
                    thirdParty,
                    jwks == null ? null : Files.readString(jwks));
            String shown = name == null ? id : name;
            String ownAudience = config.relyingParty().rpId();
            List<String> problems = ClientAdministration.problems(id, shown, settings, isPublic, ownAudience);
            if (!problems.isEmpty()) {
                problems.forEach(problem -> err().println("Error: " + problem));
                return Cli.FAILED;
            }
            Registered registered = change(storage, it -> it.add(id, shown, settings, isPublic, COMMAND_LINE));
            if (registered == null) {
                err().println("Error: a client with the id " + id + " exists already.");
                return Cli.FAILED;
            }
            if (!config.get(Settings.LOGIN_RESULT).session()) {
                err().println("Warning: OpenID Connect needs sessions. Set LOGIN_RESULT to session or both.");
            }
            out().println("client_id      " + id);
            if (registered.secret() != null) {
                out().println("client_secret  " + registered.secret());
            }
            out().println("issuer         " + config.relyingParty().origin());
            if (registered.secret() != null) {
                err().println(
                                "The secret is not shown again. Running instances accept the client within five seconds.");
            }
            return 0;
        }
    }

    /** Lists clients. */
    @Command(name = "list", header = "List the registered applications.")
    static final class ListClients extends StorageCommand {
        @Override
        int run(Config config, StorageModule storage) {
            List<Client> all = clients(storage).all();
            all.forEach(client ->
                    out().println(client.id() + "  " + client.name() + (client.isPublic() ? "  public" : "")));
            if (all.isEmpty()) {
                out().println(
                                "No application is registered. Add one with: porchlight clients add ID --redirect-uri URI");
            }
            return 0;
        }
    }

    /** A command on one client. */
    private abstract static class OnClient extends StorageCommand {
        @Parameters(paramLabel = "ID", description = "the client_id")
        private String id = "";

        @Override
        final int run(Config config, StorageModule storage) {
            Client client = clients(storage).find(id);
            if (client == null) {
                err().println("Error: there is no client " + id + ". List them with: porchlight clients list");
                return Cli.FAILED;
            }
            return run(storage, client);
        }

        abstract int run(StorageModule storage, Client client);
    }

    /** Shows a client. */
    @Command(name = "show", header = "Show the settings of an application.")
    static final class Show extends OnClient {
        @Override
        int run(StorageModule storage, Client client) {
            ClientSettings settings = client.settings();
            out().println("client_id                " + client.id());
            out().println("name                     " + client.name());
            out().println("type                     " + (client.isPublic() ? "public" : "confidential"));
            settings.redirectUris().forEach(uri -> out().println("redirect URI             " + uri));
            settings.logoutUris().forEach(uri -> out().println("logout URI               " + uri));
            if (settings.backChannelLogoutUri() != null) {
                out().println("back-channel logout URI  " + settings.backChannelLogoutUri());
            }
            out().println("ID token algorithm       " + settings.idTokenAlgorithm());
            out().println("groups                   "
                    + (settings.groups().isEmpty() ? "all users" : String.join(", ", settings.groups())));
            out().println("session                  "
                    + settings.refreshLifetime().toHours() + " h");
            out().println("consent                  " + (settings.consent() ? "required" : "not required"));
            return 0;
        }
    }

    /** Replaces a secret. */
    @Command(
            name = "rotate-secret",
            header = "Replace the secret of an application and print the new one.",
            description = {"", "The old secret is invalid at once. Ends with 1 if the client has none."})
    static final class RotateSecret extends OnClient {
        @Override
        int run(StorageModule storage, Client client) {
            String secret = change(storage, it -> it.rotateSecret(client.id(), COMMAND_LINE));
            if (secret == null) {
                err().println("Error: " + client.id()
                        + " has no secret: it is a public client, or uses private_key_jwt.");
                return Cli.FAILED;
            }
            out().println("client_secret  " + secret);
            return 0;
        }
    }

    /** Removes a client. */
    @Command(
            name = "remove",
            header = "Remove an application.",
            description = {"", "Its refresh and access tokens are invalid at once on this service."})
    static final class Remove extends OnClient {
        @Override
        int run(StorageModule storage, Client client) {
            var unused = change(storage, it -> it.remove(client.id(), COMMAND_LINE));
            out().println(client.id() + " is removed.");
            return 0;
        }
    }
}
