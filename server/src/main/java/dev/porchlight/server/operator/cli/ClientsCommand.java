// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.client.ClientAdministration;
import dev.porchlight.server.openid.client.ClientAdministration.Registration;
import dev.porchlight.server.openid.client.ClientSettings;
import dev.porchlight.server.openid.client.Clients;
import dev.porchlight.server.wiring.StorageModule;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The applications that sign users in through this service. */
@Command(
        name = "clients",
        header = "Register applications that sign users in with OpenID Connect.",
        subcommands = {
            ClientsCommand.Add.class,
            ClientsCommand.ListClients.class,
            ClientsCommand.Show.class,
            ClientsCommand.Change.class,
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
                        new ClientAdministration(units, clients(storage), Operator.commandLine(), Clock.systemUTC())));
    }

    /** Reports what is wrong with the settings of a client; returns whether nothing is. */
    private static boolean isValid(
            PrintWriter err, Config config, String id, String name, ClientSettings settings, boolean keysForbidden) {
        List<String> problems = ClientAdministration.problems(
                id, name, settings, keysForbidden, config.relyingParty().rpId());
        problems.forEach(problem -> err.println("Error: " + problem));
        return problems.isEmpty();
    }

    private static void show(PrintWriter out, Config config, Client client) {
        ClientSettings settings = client.settings();
        String issuer = config.relyingParty().origin();
        out.println("issuer                   " + issuer);
        out.println("discovery                " + issuer + "/.well-known/openid-configuration");
        out.println("client_id                " + client.id());
        out.println("name                     " + client.name());
        String keys = client.settings().jwks() == null ? "" : ", private_key_jwt";
        out.println("type                     " + (client.isPublic() ? "public" : "confidential" + keys));
        settings.redirectUris().forEach(uri -> out.println("redirect URI             " + uri));
        settings.logoutUris().forEach(uri -> out.println("logout URI               " + uri));
        if (settings.backChannelLogoutUri() != null) {
            out.println("back-channel logout URI  " + settings.backChannelLogoutUri());
        }
        out.println("ID token algorithm       " + settings.idTokenAlgorithm());
        out.println("groups                   "
                + (settings.groups().isEmpty() ? "all users" : String.join(", ", settings.groups())));
        out.println("session                  " + shown(settings.refreshLifetime()));
        out.println("consent                  " + (settings.consent() ? "required" : "not required"));
    }

    /** In the largest unit that is exact. */
    private static String shown(Duration lifetime) {
        long seconds = lifetime.toSeconds();
        return seconds % 3_600 == 0
                ? seconds / 3_600 + " h"
                : seconds % 60 == 0 ? seconds / 60 + " min" : seconds + " s";
    }

    /** Registers a client. */
    @Command(
            name = "add",
            header = "Register an application and print its credentials.",
            description = {
                "",
                "By default, the name is the id, ID tokens are signed with ES256, and a sign-in lasts 12 hours.",
                "The secret is shown once and stored as a hash. OpenID Connect is on while a client is registered.",
                "Ends with 1 if the id is taken or a setting is invalid."
            })
    static final class Add extends StorageCommand {
        @Parameters(paramLabel = "ID", description = "the client_id: 1 to 64 characters of a-z, 0-9, '.', '_', '-'")
        private String id = "";

        @Option(
                names = "--redirect-uri",
                paramLabel = "URI",
                required = true,
                description = "where users return to after sign-in; can be repeated")
        private List<String> redirectUris = new ArrayList<>();

        @Option(names = "--public", description = "a browser or native application, which cannot keep a secret")
        private boolean isPublic;

        @Mixin
        private final ClientOptions options = new ClientOptions();

        @Override
        int run(Config config, StorageModule storage) throws Exception {
            ClientSettings settings = options.in(ClientSettings.of(List.of()), redirectUris);
            String shown = options.name(id);
            if (!isValid(err(), config, id, shown, settings, isPublic)) {
                return Cli.FAILED;
            }
            Registration registered = change(storage, it -> it.add(id, shown, settings, isPublic, COMMAND_LINE));
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
        final int run(Config config, StorageModule storage) throws Exception {
            Client client = clients(storage).find(id);
            if (client == null) {
                err().println("Error: there is no client " + id + ". List them with: porchlight clients list");
                return Cli.FAILED;
            }
            return run(config, storage, client);
        }

        abstract int run(Config config, StorageModule storage, Client client) throws Exception;
    }

    /** Shows a client. */
    @Command(name = "show", header = "Show the settings of an application.")
    static final class Show extends OnClient {
        @Override
        int run(Config config, StorageModule storage, Client client) {
            show(out(), config, client);
            return 0;
        }
    }

    /** Changes a client. */
    @Command(
            name = "change",
            header = "Change the name or the settings of an application.",
            description = {
                "",
                "Settings without an option stay as they are. An option that can be repeated replaces all values.",
                "A stricter setting also ends sign-ins: those at a removed redirect URI or of users outside the groups,"
                        + " and all of them when consent becomes required or the session shorter.",
                "Ends with 1 if a setting is invalid, or the client was changed in the meantime."
            })
    static final class Change extends OnClient {
        @Option(
                names = "--redirect-uri",
                paramLabel = "URI",
                description = "where users return to after sign-in; can be repeated")
        private @Nullable List<String> redirectUris;

        @Option(names = "--no-logout-uri", description = "remove the logout URIs")
        private boolean noLogoutUri;

        @Option(names = "--no-back-channel-logout-uri", description = "remove the back-channel logout URI")
        private boolean noBackChannel;

        @Option(names = "--all-users", description = "remove the groups: any user may sign in")
        private boolean allUsers;

        @Mixin
        private final ClientOptions options = new ClientOptions();

        @Override
        int run(Config config, StorageModule storage, Client client) throws Exception {
            if (redirectUris == null && !noLogoutUri && !noBackChannel && !allUsers && options.isEmpty()) {
                throw new ParameterException(command(), "give at least one option to change");
            }
            if (allUsers && options.hasGroups()) {
                throw new ParameterException(command(), "--group and --all-users exclude each other");
            }
            String name = options.name(client.name());
            ClientSettings settings = options.in(cleared(client.settings()), redirectUris);
            boolean keysForbidden = client.settings().jwks() == null;
            if (!isValid(err(), config, client.id(), name, settings, keysForbidden)) {
                return Cli.FAILED;
            }
            if (!change(storage, it -> it.change(client, name, settings, COMMAND_LINE))) {
                err().println("Error: " + client.id()
                        + " was changed or removed in the meantime. Look at it with: porchlight clients show "
                        + client.id() + ", and repeat the change.");
                return Cli.FAILED;
            }
            show(out(), config, Objects.requireNonNull(clients(storage).find(client.id())));
            return 0;
        }

        private ClientSettings cleared(ClientSettings before) {
            return new ClientSettings(
                    before.redirectUris(),
                    noLogoutUri ? List.of() : before.logoutUris(),
                    noBackChannel ? null : before.backChannelLogoutUri(),
                    before.idTokenAlgorithm(),
                    allUsers ? List.of() : before.groups(),
                    before.refreshLifetime(),
                    before.consent(),
                    before.jwks());
        }
    }

    /** Replaces a secret. */
    @Command(
            name = "rotate-secret",
            header = "Replace the secret of an application and print the new one.",
            description = {"", "The old secret is invalid at once. Ends with 1 if the client has none."})
    static final class RotateSecret extends OnClient {
        @Override
        int run(Config config, StorageModule storage, Client client) {
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
        int run(Config config, StorageModule storage, Client client) {
            var unused = change(storage, it -> it.remove(client.id(), COMMAND_LINE));
            out().println(client.id() + " is removed.");
            return 0;
        }
    }
}
