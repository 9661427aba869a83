// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.passkey.cose.SignatureVerifier;
import dev.porchlight.passkey.decoy.Decoys;
import dev.porchlight.passkey.metadata.Authenticators;
import dev.porchlight.passkey.store.ChallengeStore;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.CredentialStore;
import dev.porchlight.passkey.store.CredentialStore.Removal;
import dev.porchlight.passkey.store.Migration;
import dev.porchlight.passkey.store.UserRecord;
import dev.porchlight.passkey.verify.AssertionCeremony;
import dev.porchlight.passkey.verify.CredentialSeal;
import dev.porchlight.passkey.verify.RegistrationCeremony;
import dev.porchlight.passkey.verify.RelyingParty;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Registers passkeys and signs users in with them, as WebAuthn Level 2 prescribes.
 *
 * <p>A ceremony is started, which returns options for the browser, and finished with the browser's response, the JSON of
 * {@code credential.toJSON()}. A challenge works once: the first response to it uses it up, whether it is accepted or
 * refused. Refusals are values; a {@link dev.porchlight.base.sql.StorageException} means that a store failed and that
 * nothing was accepted.
 *
 * <p>Challenges are sealed or stored. {@link #builder(PasskeyConfig, DataSource)} seals them: options for a login write
 * nothing, and finishing a ceremony is one transaction. An application that passes a {@link ChallengeStore} has them
 * stored: set at start, taken at finish.
 *
 * <p>A user id is the application's identifier of a user: 1 to 256 characters without control characters, else an {@link
 * InvalidTextException}. The tables must exist: {@link Migration#run}. Thread-safe.
 */
public final class PasskeyService implements AutoCloseable {
    /**
     * The SQL that creates the tables, for both SQLite and PostgreSQL. Idempotent. Run it once before use, with {@link
     * Migration#run} or {@code Statement.executeUpdate}; with {@code execute}, SQLite's driver runs only the first statement.
     */
    public static final String WEBAUTHN_MIGRATION_SQL = Migration.WEBAUTHN_MIGRATION_SQL;

    private final CredentialStore credentials;
    private final Registrations registrations;
    private final Authentications authentications;
    private final CeremonyCommit commit;
    private final List<CeremonyListener> listeners;
    private final Extensions extensions;
    private final LongSupplier nanoTime;
    private final Authenticators authenticators;

    /** Creates a service with the defaults of its {@link #builder}. */
    public PasskeyService(PasskeyConfig config, DataSource dataSource, ChallengeStore challengeStore) {
        this(builder(config, dataSource, challengeStore));
    }

    PasskeyService(PasskeyServiceBuilder parts) {
        PasskeyConfig config = parts.config;
        RelyingParty party = config.relyingParty();
        CredentialSeal seal = parts.seal;
        config.algorithms().forEach(algorithm -> algorithm.requireAvailable(parts.provider));
        this.credentials = parts.credentials();
        this.commit = parts.commit();
        this.listeners = parts.listeners;
        this.extensions = config.extensions();
        this.nanoTime = parts.nanoTime;
        this.authenticators = parts.authenticators;
        var challenges = new Challenges(parts.challenges(), parts.clock, config.challengeTtl());
        var rules = new ModelRules(parts.authenticators);
        var registration = new RegistrationCeremony(party, rules.attestations(config, parts.provider), nanoTime);
        this.registrations = new Registrations(
                config, credentials, challenges, registration, seal, parts.userHandleKey, parts.random, parts.clock);
        Decoys decoys = parts.decoys();
        var assertion = new AssertionCeremony(
                party,
                new SignatureVerifier(parts.provider),
                seal == null ? null : seal::holds,
                decoys::algorithm,
                rules,
                nanoTime);
        this.authentications = new Authentications(config, credentials, challenges, assertion, decoys, parts.clock);
    }

    private PasskeyService(PasskeyService shared, List<CeremonyListener> listeners, Extensions extensions) {
        this.credentials = shared.credentials;
        this.registrations = shared.registrations;
        this.authentications = shared.authentications;
        this.commit = shared.commit;
        this.nanoTime = shared.nanoTime;
        this.authenticators = shared.authenticators;
        this.listeners = listeners;
        this.extensions = extensions;
    }

    /** Returns this service with a listener for one request, which need not be thread-safe if one thread handles the request. */
    public PasskeyService with(CeremonyListener context) {
        List<CeremonyListener> all = new ArrayList<>(listeners);
        all.add(context);
        return new PasskeyService(this, all, extensions);
    }

    /**
     * Returns this service for a ceremony that requests these extensions instead of those of its configuration. Finish it with
     * the same ones: others are ignored.
     */
    public PasskeyService requesting(Extensions requested) {
        return new PasskeyService(this, listeners, requested);
    }

    /** Returns a builder for a service that keeps challenges in this store. */
    public static PasskeyServiceBuilder builder(
            PasskeyConfig config, DataSource dataSource, ChallengeStore challengeStore) {
        return new PasskeyServiceBuilder(config, dataSource, challengeStore);
    }

    /** Returns a builder for a service that seals its challenges, see {@link PasskeyServiceBuilder#sealedChallenges}. */
    public static PasskeyServiceBuilder builder(PasskeyConfig config, DataSource dataSource) {
        return new PasskeyServiceBuilder(config, dataSource, null);
    }

    /**
     * Returns whether this service issued a sealed challenge within the last two hours, used or not. This proves that a message
     * refers to options of this service, and nothing about its sender. Always false with a challenge store.
     *
     * @param userId the user that the options were for; null for options without a user
     */
    public boolean isIssued(@Nullable String userId, String challenge) {
        return registrations.challenges().isIssued(userId, challenge);
    }

    /** Returns options for a new passkey of a user who is signed in or otherwise identified. */
    public CreationOptions startRegistration(String userId) {
        return startRegistration(userId, RegistrationRequest.PLAIN);
    }

    /** Returns options for a new passkey with display names, or for one that the browser creates on its own. */
    public CreationOptions startRegistration(String userId, RegistrationRequest request) {
        return startRegistration(userId, request, false);
    }

    /**
     * Returns options for a new passkey.
     *
     * @param newUser whether no user with this id is stored, so that nothing is read about them; the registration is finished
     *     with the same value
     */
    public CreationOptions startRegistration(String userId, RegistrationRequest request, boolean newUser) {
        Texts.require("userId", userId);
        return timed(
                Operation.START_REGISTRATION,
                userId,
                timer -> registrations.start(userId, request, newUser, extensions, timer));
    }

    /** Verifies and stores the new passkey, or returns the step that refused it. Null is malformed. */
    public RegistrationResult finishRegistration(String userId, @Nullable String json) {
        return finish(userId, json, registrations.config().maxPasskeysPerUser(), false, commit);
    }

    /** Finishes a registration of a user who has no passkey yet. Of two concurrent sign-ups under one name, one is refused. */
    public RegistrationResult finishFirstRegistration(String userId, @Nullable String json) {
        return finish(userId, json, 1, false, commit);
    }

    /**
     * Finishes a registration for an application that writes more in the same transaction.
     *
     * @param newUser whether this is the user's first passkey, and the commit refuses a user who is stored already; nothing is
     *     read about a new user if user handles are derived
     */
    public RegistrationResult finishRegistration(
            String userId, @Nullable String json, boolean newUser, CeremonyCommit commit) {
        return finish(userId, json, newUser ? 1 : registrations.config().maxPasskeysPerUser(), newUser, commit);
    }

    /** Returns request options for a user id. Unknown users get indistinguishable decoys. */
    public RequestOptions startAuthentication(String userId) {
        Texts.require("userId", userId);
        return timed(Operation.START_AUTHENTICATION, userId, timer -> authentications.start(userId, extensions, timer));
    }

    /** Returns request options without a user: the passkey identifies the user. */
    public RequestOptions startAuthentication() {
        return timed(Operation.START_AUTHENTICATION, null, timer -> authentications.start(extensions, timer));
    }

    /** Verifies a login of this user, or returns the step that refused it. Null is malformed. */
    public AuthenticationResult finishAuthentication(String userId, @Nullable String json) {
        return finishAuthentication(Texts.require("userId", userId), json, commit);
    }

    /** Verifies a login whose options had no user id. Refuses a passkey without a stored user handle, which identifies the user. */
    public AuthenticationResult finishAuthentication(@Nullable String json) {
        return finishAuthentication(null, json, commit);
    }

    /**
     * Verifies a login for an application that writes more in the same transaction.
     *
     * @param userId the user, or null for options without a user id
     */
    public AuthenticationResult finishAuthentication(
            @Nullable String userId, @Nullable String json, CeremonyCommit commit) {
        Texts.requireIfGiven("userId", userId);
        return timed(
                Operation.FINISH_AUTHENTICATION,
                userId,
                timer -> authentications.finish(userId, json, extensions, commit, timer));
    }

    /** Returns the user's passkeys, oldest first. */
    public List<CredentialRecord> passkeys(String userId) {
        return credentials.list(Texts.require("userId", userId));
    }

    /** What this service knows about models of authenticators. */
    public Authenticators authenticators() {
        return authenticators;
    }

    /** Returns the number of the user's passkeys, including rows that {@link #passkeys} skips because they cannot be read. */
    public int passkeyCount(String userId) {
        return credentials.count(Texts.require("userId", userId));
    }

    /** Renames one of the user's passkeys. False if the user has none with this id. */
    public boolean rename(String userId, String credentialId, String name) {
        Texts.require("userId", userId);
        Texts.require("name", name);
        return Texts.isCredentialId(credentialId) && credentials.rename(userId, credentialId, name);
    }

    /** Returns whether a text can be the id of a passkey: base64url of 1 to 1023 bytes. */
    public static boolean isCredentialId(String text) {
        return Texts.isCredentialId(text);
    }

    /** Removes one of the user's passkeys; the last one only if {@code allowLast}, because it may lock the user out. */
    public Removal remove(String userId, String credentialId, boolean allowLast) {
        Texts.require("userId", userId);
        return Texts.isCredentialId(credentialId)
                ? credentials.remove(userId, credentialId, allowLast)
                : Removal.NOT_FOUND;
    }

    /** Returns the user as authenticators know them, or empty if they never started a registration. */
    public Optional<UserRecord> user(String userId) {
        return Optional.ofNullable(credentials.user(Texts.require("userId", userId)));
    }

    /**
     * Seals every passkey that has no seal, as it is now, and returns their number. Call it once, when {@link
     * PasskeyServiceBuilder#rowIntegrityKey} is first given and the database is trusted. Do not call it at every start: it
     * would seal rows that an attacker has added in the meantime. A row that cannot be read is skipped, reported to the
     * listener and not counted.
     *
     * @throws IllegalStateException if no key was given
     */
    public int sealPasskeys() {
        return registrations.sealAll();
    }

    /**
     * Updates the decoys of unknown users so that they look like the stored passkeys, at most once an hour. Registrations do
     * this automatically. Call it periodically if passkeys are also imported.
     *
     * @throws dev.porchlight.base.sql.StorageException if the database fails; the decoys stay as they are
     */
    public void refreshDecoys() {
        authentications.decoys().refresh();
    }

    /** Ends the work in the background, also of services derived from this one. Call it before closing the data source. */
    @Override
    public void close() {
        authentications.decoys().close();
    }

    private RegistrationResult finish(
            String userId, @Nullable String json, int limit, boolean newUser, CeremonyCommit commit) {
        Texts.require("userId", userId);
        RegistrationResult result = timed(
                Operation.FINISH_REGISTRATION,
                userId,
                timer -> registrations.finish(userId, json, limit, newUser, extensions, commit, timer));
        if (result instanceof RegistrationResult.Registered registered) {
            authentications.decoys().registered(registered.credential().credentialId());
        }
        return result;
    }

    private <T> T timed(Operation operation, @Nullable String userId, Function<OperationTimer, T> work) {
        return OperationTimer.time(operation, userId, listeners, nanoTime, work);
    }
}
