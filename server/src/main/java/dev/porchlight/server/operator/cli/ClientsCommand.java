// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.client.ClientAdministration;
import dev.porchlight.server.openid.client.ClientAdministration.Kind;
import dev.porchlight.server.openid.client.ClientAdministration.Registration;
import dev.porchlight.server.openid.client.ClientSettings;
import dev.porchlight.server.openid.client.ClientSettings.Rules;
import dev.porchlight.server.openid.client.Clients;
import dev.porchlight.server.token.Jwts;
import dev.porchlight.server.wiring.StorageModule;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The applications that sign users in through this service. */
@Command(name = "clients", header = "Register applications that sign users in with OpenID Connect.")
final class ClientsCommand extends CommandGroup {
    private static Clients clients(StorageModule storage) {
        return new Clients(storage.sql(), Clock.systemUTC(), new SecureRandom());
    }

    private Client find(String id) throws Exception {
        Client client = clients(storage()).find(id);
        if (client == null) {
            throw new CommandException("there is no client " + id + ". List them with: porchlight clients list");
        }
        return client;
    }

    /** Changes clients or groups with audit rows. */
    static <R extends @Nullable Object> R change(BaseCommand command, Function<ClientAdministration, R> change)
            throws Exception {
        Clients clients = clients(command.storage());
        Jwts jwts = new Jwts(command.storage().keyRing(), null);
        return command.write(units -> change.apply(
                new ClientAdministration(units, clients, jwts, Operator.commandLine(), Clock.systemUTC())));
    }

    /** Throws with everything that is wrong with the settings of a client. */
    private void validate(String id, String name, ClientSettings settings, Kind kind) throws Exception {
        List<String> problems = ClientAdministration.problems(
                id, name, settings, kind, config().relyingParty().rpId());
        if (!problems.isEmpty()) {
            throw new CommandException(String.join(System.lineSeparator() + "Error: ", problems));
        }
    }

    @Command(
            name = "add",
            header = "Register an application and print its credentials.",
            description = {
                "",
                "By default, the name is the id, ID tokens are signed with RS256, and a sign-in lasts 12 hours.",
                "The secret is shown once and stored as a hash. OpenID Connect is on while a client is registered.",
                "Ends with 1 if the id is taken or a setting is invalid."
            })
    void add(
            @Parameters(paramLabel = "ID", description = "the client_id: 1 to 64 characters of a-z, 0-9, '.', '_', '-'")
                    String id,
            @Option(
                            names = "--redirect-uri",
                            paramLabel = "URI",
                            required = true,
                            description = "where users return to after sign-in; can be repeated")
                    List<String> redirectUris,
            @Option(names = "--public", description = "a browser or native application, which cannot keep a secret")
                    boolean isPublic,
            @Mixin ClientOptions options)
            throws Exception {
        ClientSettings settings = options.in(ClientSettings.of(List.of()), redirectUris);
        String shown = options.name(id);
        validate(id, shown, settings, Kind.of(isPublic, settings));
        Registration registered = change(this, it -> it.add(id, shown, settings, isPublic, COMMAND_LINE));
        if (registered == null) {
            throw new CommandException("a client with the id " + id + " exists already.");
        }
        if (!config().get(Settings.LOGIN_RESULT).session()) {
            err().println("Warning: OpenID Connect needs sessions. Set LOGIN_RESULT to session or both.");
        }
        out().println("client_id      " + id);
        if (registered.secret() != null) {
            out().println("client_secret  " + registered.secret());
            err().println("The secret is not shown again. Running instances accept the client within five seconds.");
        }
        out().println("issuer         " + config().relyingParty().origin());
    }

    @Command(name = "list", header = "List the registered applications.")
    void list() throws Exception {
        print(
                clients(storage()).all(),
                client -> client.id() + "  " + client.name() + (client.isPublic() ? "  public" : ""),
                "No application is registered. Add one with: porchlight clients add ID --redirect-uri URI");
    }

    @Command(name = "show", header = "Show the settings of an application.")
    void show(@Parameters(paramLabel = "ID", description = "the client_id") String id) throws Exception {
        Client client = find(id);
        ClientSettings settings = client.settings();
        String issuer = config().relyingParty().origin();
        field("issuer", issuer);
        field("discovery", issuer + "/.well-known/openid-configuration");
        field("client_id", client.id());
        field("name", client.name());
        String keys = settings.jwks() == null ? "" : ", private_key_jwt";
        field("type", client.isPublic() ? "public" : "confidential" + keys);
        settings.redirectUris().forEach(uri -> field("redirect URI", uri));
        settings.logoutUris().forEach(uri -> field("logout URI", uri));
        if (settings.backChannelLogoutUri() != null) {
            field("back-channel logout URI", settings.backChannelLogoutUri());
        }
        field("ID token algorithm", settings.idTokenAlgorithm());
        field("groups", settings.groups().isEmpty() ? "all users" : String.join(", ", settings.groups()));
        field("session", shown(settings.refreshLifetime()));
        Rules rules = settings.rules();
        field("profile", rules.profile() + (client.needsPkce() ? "" : " (weaker: PKCE is optional)"));
        field("pushed requests", rules.pushedRequests() ? "required" : "optional");
        field("DPoP", rules.dpop() ? "required" : "optional");
        field("consent", settings.consent() ? "required" : "not required");
    }

    private void field(String name, String value) {
        out().println(String.format(Locale.ROOT, "%-25s", name) + value);
    }

    /** In the largest unit that is exact. */
    private static String shown(Duration lifetime) {
        long seconds = lifetime.toSeconds();
        return seconds % 3_600 == 0
                ? seconds / 3_600 + " h"
                : seconds % 60 == 0 ? seconds / 60 + " min" : seconds + " s";
    }

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
    void change(
            @Parameters(paramLabel = "ID", description = "the client_id") String id,
            @Option(
                            names = "--redirect-uri",
                            paramLabel = "URI",
                            description = "where users return to after sign-in; can be repeated")
                    @Nullable
                    List<String> redirectUris,
            @Option(names = "--no-logout-uri", description = "remove the logout URIs") boolean noLogoutUri,
            @Option(names = "--no-back-channel-logout-uri", description = "remove the back-channel logout URI")
                    boolean noBackChannel,
            @Option(names = "--all-users", description = "remove the groups: any user may sign in") boolean allUsers,
            @Mixin ClientOptions options)
            throws Exception {
        if (redirectUris == null && !noLogoutUri && !noBackChannel && !allUsers && options.isEmpty()) {
            throw misuse("give at least one option to change");
        }
        if (allUsers && options.hasGroups()) {
            throw misuse("--group and --all-users exclude each other");
        }
        Client client = find(id);
        options.clear(noLogoutUri, noBackChannel, allUsers);
        String name = options.name(client.name());
        ClientSettings settings = options.in(client.settings(), redirectUris);
        validate(id, name, settings, Kind.of(client));
        if (!change(this, it -> it.change(client, name, settings, COMMAND_LINE))) {
            throw new CommandException(
                    id + " was changed or removed in the meantime. Look at it with: porchlight clients show " + id
                            + ", and repeat the change.");
        }
        show(id);
    }

    @Command(
            name = "rotate-secret",
            header = "Replace the secret of an application and print the new one.",
            description = {"", "The old secret is invalid at once. Ends with 1 if the client has none."})
    void rotateSecret(@Parameters(paramLabel = "ID", description = "the client_id") String id) throws Exception {
        Client client = find(id);
        String secret = change(this, it -> it.rotateSecret(client.id(), COMMAND_LINE));
        if (secret == null) {
            throw new CommandException(id + " has no secret: it is a public client, or uses private_key_jwt.");
        }
        out().println("client_secret  " + secret);
    }

    @Command(
            name = "remove",
            header = "Remove an application.",
            description = {"", "Its refresh and access tokens are invalid at once on this service."})
    void remove(@Parameters(paramLabel = "ID", description = "the client_id") String id) throws Exception {
        Client client = find(id);
        var unused = change(this, it -> it.remove(client.id(), COMMAND_LINE));
        out().println(id + " is removed.");
    }
}
