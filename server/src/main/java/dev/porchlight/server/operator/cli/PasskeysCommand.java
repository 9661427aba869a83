// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.metadata.AuthenticatorModel;
import dev.porchlight.passkey.metadata.AuthenticatorPolicy;
import dev.porchlight.passkey.metadata.Authenticators;
import dev.porchlight.passkey.metadata.CertificationLevel;
import dev.porchlight.passkey.metadata.MetadataBlob;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.CredentialStore;
import dev.porchlight.passkey.store.PasskeyExport;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.auth.UserIds;
import dev.porchlight.server.routes.UserAdminRoutes;
import dev.porchlight.server.web.PasskeyNames;
import dev.porchlight.server.wiring.MetadataModule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Passkeys, and the policy for them. */
@Command(name = "passkeys", header = "List or remove passkeys, or show the policy for authenticators.")
final class PasskeysCommand extends CommandGroup {
    static final String[] COLUMNS = {"title=name", "createdAt", "lastUsedAt", "credentialId=id"};

    private static final int MAX_ROWS = 10_000;
    private static final String UNKNOWN = "00000000-0000-0000-0000-000000000000";

    /** A passkey that the policy does not accept. */
    private record Affected(CredentialRecord passkey, String name, String effect, String reason) {
        void write(JsonWriter json) {
            json.text("userId", passkey.userId())
                    .text("credentialId", passkey.credentialId())
                    .optionalText("aaguid", passkey.aaguid())
                    .text("authenticator", name)
                    .text("effect", effect)
                    .text("reason", reason);
        }
    }

    @Command(
            name = "list",
            header = "List the passkeys of a user, oldest first.",
            description = {"", "Exits with 1 if the user does not exist. A user without a passkey is not an error."})
    void list(@Parameters(paramLabel = "USER", description = "the user id") String user, @Mixin Format format)
            throws Exception {
        UserIds.requireExisting(user);
        CredentialStore credentials = credentials();
        Sql sql = storage().sql();
        List<CredentialRecord> passkeys = credentials.list(user);
        boolean unreadable = passkeys.isEmpty() && credentials.count(user) > 0;
        if (passkeys.isEmpty()
                && !unreadable
                && credentials.user(user) == null
                && !storage().enrollments().isPending(user)) {
            throw new CommandException(
                    "the user " + user + " does not exist. Check the spelling, or create the user with enroll.");
        }
        Authenticators authenticators = authenticators();
        Listing listing = Listing.of(json -> UserAdminRoutes.describe(json, passkeys, authenticators, sql));
        new PasskeyNames().addTitles(listing.rows("passkeys"));
        format.print(listing.table(
                "", "passkeys", user + (unreadable ? " has no readable passkey." : " has no passkey."), COLUMNS));
    }

    @Command(
            name = "remove",
            header = "Remove a passkey of a user and end the sessions it opened.",
            description = {
                "",
                "Refuses to remove the last one without --force: the user could not sign in.",
                "Before an id that begins with a hyphen, write --."
            })
    void remove(
            @Parameters(index = "0", paramLabel = "USER", description = "the user id") String user,
            @Parameters(index = "1", paramLabel = "ID", description = "the passkey id, as listed") String id,
            @Option(names = "--force", description = "remove it even if it is the last one") boolean force)
            throws Exception {
        UserIds.requireExisting(user);
        switch (administer(directory -> directory.users().removePasskey(user, id, force, Operator.commandLine()))) {
            case REMOVED -> out().println("The passkey is removed, and the sessions it opened have ended.");
            case NOT_FOUND ->
                throw new CommandException(
                        user + " has no such passkey. List them with: porchlight passkeys list " + user);
            case LAST ->
                throw new CommandException("this is the last passkey of " + user + ". Use --force to remove it anyway");
        }
    }

    @Command(
            name = "policy",
            header = "Show the policy for authenticators, or list the passkeys that it affects.",
            description = {
                "",
                "With --check, nothing changes: try a policy before you set PASSKEY_POLICY_FILE.",
                "Metadata comes from METADATA_FILE or METADATA_URL."
            })
    void policy(
            @Parameters(
                            arity = "0..1",
                            paramLabel = "FILE",
                            description = "a policy to use instead of PASSKEY_POLICY_FILE")
                    @Nullable
                    Path file,
            @Option(names = "--check", description = "list the passkeys that the policy affects") boolean check,
            @Mixin Format format)
            throws Exception {
        var module = new MetadataModule(config(), Clock.systemUTC(), this::warn);
        module.restore();
        module.refresh();
        Authenticators configured = module.authenticators();
        AuthenticatorPolicy policy = file == null ? configured.policy() : read(file);
        var authenticators = new Authenticators(policy, configured.metadata());
        Optional<MetadataBlob> blob = configured.metadata().get();
        if (blob.isEmpty() && policy.minimum().isPresent()) {
            throw new CommandException("the policy requires a certification, and there is no metadata."
                    + " Set METADATA_FILE or METADATA_URL.");
        }
        List<Affected> affected = check ? affected(authenticators) : List.of();
        List<Affected> shown = affected.subList(0, Math.min(affected.size(), MAX_ROWS));
        Listing listing = Listing.of(json -> {
            blob.ifPresent(known -> json.number("metadata", known.number())
                    .text("nextUpdate", known.nextUpdate().toString())
                    .number("models", known.size()));
            json.texts("allow", policy.allowed().stream().sorted().toList())
                    .texts("deny", policy.denied().stream().sorted().toList())
                    .optionalText(
                            "minimumCertification",
                            policy.minimum().map(CertificationLevel::label).orElse(null))
                    .bool("requireAttestation", policy.attestationRequired())
                    .text("signIn", policy.signIn().name().toLowerCase(Locale.ROOT));
            if (check) {
                json.number("count", affected.size())
                        .objects("affected", shown, (member, passkey) -> passkey.write(member));
            }
        });
        listing.fields(
                "metadata|none",
                "nextUpdate",
                "models",
                "allow|all",
                "deny|none",
                "minimumCertification|none",
                "requireAttestation",
                "signIn");
        if (check) {
            listing.table(
                    "Affected passkeys",
                    "affected",
                    "None.",
                    "userId=user",
                    "authenticator",
                    "effect",
                    "reason",
                    "credentialId=id");
        }
        if (shown.size() < affected.size()) {
            listing.note("There are " + affected.size() + " in total.");
        }
        format.print(listing);
    }

    private static AuthenticatorPolicy read(Path file) throws Exception {
        try {
            return AuthenticatorPolicy.parse(Files.readString(file));
        } catch (MalformedException e) {
            throw new CommandException(file + " is not a policy: " + e.getMessage());
        }
    }

    private List<Affected> affected(Authenticators authenticators) throws Exception {
        LocalDate today = LocalDate.now(ZoneOffset.UTC);
        List<Affected> affected = new ArrayList<>();
        new PasskeyExport(storage().database().dataSource())
                .read(
                        user -> {},
                        passkey -> judge(passkey, authenticators, today).ifPresent(affected::add));
        return affected;
    }

    /** Sign-ins come first: a passkey that only could not be registered again still works. */
    private static Optional<Affected> judge(CredentialRecord passkey, Authenticators authenticators, LocalDate today) {
        AuthenticatorPolicy policy = authenticators.policy();
        String aaguid = Objects.requireNonNullElse(passkey.aaguid(), UNKNOWN);
        Optional<AuthenticatorModel> model = authenticators.find(aaguid);
        String name = model.map(AuthenticatorModel::name).orElse("");
        // Like a sign-in: without an AAGUID, nothing speaks against a registered passkey.
        Optional<String> suspicion =
                passkey.aaguid() == null ? Optional.empty() : policy.suspicion(aaguid, model, today);
        if (suspicion.isPresent() && policy.signIn() != AuthenticatorPolicy.SignIn.ACCEPT) {
            boolean refused = policy.signIn() == AuthenticatorPolicy.SignIn.REFUSE;
            String effect = refused ? "sign-in refused" : "sign-in flagged";
            return Optional.of(new Affected(passkey, name, effect, suspicion.get()));
        }
        boolean trusted = "trusted".equals(passkey.authenticator().attestationTrust());
        return policy.refusal(aaguid, model, today)
                .or(() -> policy.attestationRequired() && !trusted
                        ? Optional.of("it has no trusted attestation")
                        : Optional.empty())
                .map(reason -> new Affected(passkey, name, "could not be registered again", reason));
    }
}
