// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.client.ClientAdministration;
import dev.porchlight.server.openid.client.ClientAdministration.Kind;
import dev.porchlight.server.openid.client.ClientAdministration.Registration;
import dev.porchlight.server.openid.client.ClientSettings;
import dev.porchlight.server.openid.client.Clients;
import dev.porchlight.server.openid.grant.Authorizations;
import dev.porchlight.server.wiring.StorageModule;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
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
            throw new CommandException("there is no application " + id + ". List them with: porchlight clients list");
        }
        return client;
    }

    /** Changes clients with audit rows. */
    private <R extends @Nullable Object> R change(Function<ClientAdministration, R> change) throws Exception {
        Clients clients = clients(storage());
        return write(units ->
                change.apply(new ClientAdministration(units, clients, Authorizations::endClient, Clock.systemUTC())));
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
                "A recipe registers what a common application needs, and prints that application's settings.",
                "The secret is shown once and stored as a hash. OpenID Connect is on while an application is registered.",
                "Ends with 1 if the id is taken or a setting is invalid."
            })
    void add(
            @Parameters(paramLabel = "ID", description = "the client_id: 1 to 64 characters of a-z, 0-9, '.', '_', '-'")
                    String id,
            @Option(
                            names = "--redirect-uri",
                            paramLabel = "URI",
                            description =
                                    "where users return to after sign-in; can be repeated; required without a recipe")
                    @Nullable
                    List<String> redirectUris,
            @Option(names = "--recipe", paramLabel = "RECIPE", description = "one of " + Recipe.NAMES) @Nullable
                    String recipeName,
            @Option(names = "--url", paramLabel = "URL", description = "where the application of the recipe is")
                    @Nullable
                    String url,
            @Option(names = "--public", description = "a browser or native application, which cannot keep a secret")
                    boolean publicClient,
            @Mixin ClientOptions options,
            @Mixin Format format)
            throws Exception {
        Recipe recipe = recipe(recipeName, url);
        if (recipe == null && redirectUris == null) {
            throw misuse("give --redirect-uri, or --recipe and --url");
        }
        String base = url == null ? "" : url.replaceFirst("/$", "");
        boolean isPublic = publicClient || recipe != null && recipe.isPublic();
        ClientSettings settings =
                options.in(recipe == null ? ClientSettings.of(List.of()) : recipe.client(base), redirectUris);
        String shown = options.name(recipe == null ? id : recipe.value("title"));
        validate(id, shown, settings, Kind.of(isPublic, settings));
        Registration registered = change(it -> it.add(id, shown, settings, isPublic, Operator.commandLine()));
        if (registered == null) {
            throw new CommandException("an application with the id " + id + " exists already.");
        }
        if (!config().get(Settings.LOGIN_RESULT).session()) {
            err().println("Warning: OpenID Connect needs sessions. Set LOGIN_RESULT to session or both.");
        }
        String issuer = config().relyingParty().origin();
        String instructions = recipe == null ? null : recipe.instructions(base, issuer, id, registered.secret());
        Listing listing = Listing.of(json -> {
                    registered.client().write(json, issuer);
                    json.optionalText("clientSecret", registered.secret()).optionalText("instructions", instructions);
                })
                .fields("clientId", "clientSecret", "issuer");
        format.print(instructions == null ? listing : listing.note("\n" + instructions.strip()));
        if (registered.secret() != null && !format.isJson()) {
            err().println(
                            "The secret is not shown again. Running instances accept the application within five seconds.");
        }
    }

    /** The recipe with this name, which fits the URL; null if there is no name. */
    private @Nullable Recipe recipe(@Nullable String name, @Nullable String url) throws Exception {
        Recipe recipe = name == null ? null : Recipe.find(name);
        if (name != null && recipe == null) {
            throw misuse("there is no recipe " + name + ", but " + Recipe.NAMES);
        }
        if (url != null && !Recipe.isUrl(url)) {
            throw misuse(url + " must be an https URL, or http on this machine, for example https://app.example.com");
        }
        if ((url != null) != (recipe != null && recipe.needsUrl())) {
            throw misuse(
                    recipe == null
                            ? "--url needs --recipe"
                            : recipe.needsUrl()
                                    ? "the recipe " + name + " needs --url"
                                    : "the recipe " + name + " has no --url");
        }
        return recipe;
    }

    @Command(name = "list", header = "List the registered applications.")
    void list(@Mixin Format format) throws Exception {
        String issuer = config().relyingParty().origin();
        format.print(Listing.of(
                "clients",
                clients(storage()).all(),
                (client, json) -> client.write(json, issuer),
                "No application is registered. Add one with: porchlight clients add ID --redirect-uri URI",
                "clientId",
                "name",
                "public",
                "groups",
                "createdAt"));
    }

    @Command(name = "show", header = "Show the settings of an application.")
    void show(@Parameters(paramLabel = "ID", description = "the client_id") String id, @Mixin Format format)
            throws Exception {
        Client client = find(id);
        String issuer = config().relyingParty().origin();
        format.print(Listing.of(json -> {
                    client.write(json, issuer);
                    json.text("discovery", issuer + "/.well-known/openid-configuration")
                            .texts("authentication", client.authenticationMethods())
                            .bool("pkceRequired", client.needsPkce());
                })
                .fields(
                        "issuer",
                        "discovery",
                        "clientId",
                        "name",
                        "authentication",
                        "redirectUris",
                        "logoutUris",
                        "backChannelLogoutUri",
                        "idTokenAlgorithm=ID token algorithm",
                        "groups|all users",
                        "claims|none",
                        "refreshSeconds=session",
                        "profile",
                        "pkceRequired=PKCE required",
                        "requirePushedAuthorizationRequests=pushed requests required",
                        "dpopBoundAccessTokens=DPoP required",
                        "endpointAudience=assertions for endpoints",
                        "consent=consent required",
                        "createdAt"));
    }

    @Command(
            name = "change",
            header = "Change the name or the settings of an application.",
            description = {
                "",
                "Settings without an option stay as they are. An option that can be repeated replaces all values.",
                "A stricter setting also ends all sign-ins: a removed redirect URI or group, a limit to groups,"
                        + " required consent, pushed requests or DPoP, a shorter session, or a stricter profile.",
                "Ends with 1 if a setting is invalid, or the application was changed in the meantime."
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
            @Mixin ClientOptions options,
            @Mixin Format format)
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
        if (!change(it -> it.change(client, name, settings, Operator.commandLine()))) {
            throw new CommandException(
                    id + " was changed or removed in the meantime. Look at it with: porchlight clients show " + id
                            + ", and repeat the change.");
        }
        show(id, format);
    }

    @Command(
            name = "rotate-secret",
            header = "Replace the secret of an application and print the new one.",
            description = {"", "The old secret is invalid at once. Ends with 1 if the application has none."})
    void rotateSecret(@Parameters(paramLabel = "ID", description = "the client_id") String id, @Mixin Format format)
            throws Exception {
        Client client = find(id);
        String secret = change(it -> it.rotateSecret(client.id(), Operator.commandLine()));
        if (secret == null) {
            throw new CommandException(id + " has no secret: it is a public client, or uses private_key_jwt.");
        }
        format.print(Listing.of(json -> json.text("clientSecret", secret)).fields("clientSecret"));
    }

    @Command(
            name = "remove",
            header = "Remove an application.",
            description = {"", "Its refresh and access tokens are invalid at once on this service."})
    void remove(@Parameters(paramLabel = "ID", description = "the client_id") String id) throws Exception {
        Client client = find(id);
        var unused = change(it -> it.remove(client.id(), Operator.commandLine()));
        out().println(id + " is removed.");
    }
}
