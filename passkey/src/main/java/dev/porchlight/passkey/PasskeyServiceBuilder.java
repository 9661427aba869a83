// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.Hmac;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.decoy.DecoyTables;
import dev.porchlight.passkey.decoy.Decoys;
import dev.porchlight.passkey.metadata.Authenticators;
import dev.porchlight.passkey.store.ChallengeStore;
import dev.porchlight.passkey.store.CredentialStore;
import dev.porchlight.passkey.store.PasskeyShapes;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.passkey.store.SqlPasskeyShapes;
import dev.porchlight.passkey.store.SqlUsedChallenges;
import dev.porchlight.passkey.store.UsedChallenges;
import dev.porchlight.passkey.verify.CredentialSeal;
import java.security.Provider;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Builds a {@link PasskeyService}. Not thread-safe. */
public final class PasskeyServiceBuilder {
    /** The minimum length of a secret key, in bytes. */
    public static final int MIN_KEY_BYTES = 32;

    private static final byte[] DECOYS = "porchlight decoys 1".getBytes(US_ASCII);

    final PasskeyConfig config;
    private final @Nullable ChallengeStore store;
    private final DataSource dataSource;
    private List<byte[]> challengeKeys = List.of();
    private @Nullable UsedChallenges used;
    private @Nullable CredentialStore credentials;

    @Nullable
    Provider provider;

    Clock clock = Clock.systemUTC();
    LongSupplier nanoTime = System::nanoTime;
    SecureRandom random = new SecureRandom();
    List<CeremonyListener> listeners = List.of();
    private byte @Nullable [] decoyKey;
    private @Nullable PasskeyShapes shapes;
    private @Nullable Executor background;

    Authenticators authenticators = Authenticators.UNKNOWN;

    @Nullable
    SecretKeySpec userHandleKey;

    @Nullable
    CredentialSeal seal;

    PasskeyServiceBuilder(PasskeyConfig config, DataSource dataSource, @Nullable ChallengeStore store) {
        this.config = config;
        this.store = store;
        this.dataSource = dataSource;
    }

    /**
     * Seals challenges with this secret key of at least 32 bytes. All instances need the same key, and it should be used for
     * nothing else.
     *
     * <p>Without this call, the key is created on first use and kept in the table {@code passkey_secret}, where all
     * instances on that database find it. Anyone who can read that table can create challenges in advance, which only helps an attacker who
     * can also get them signed by a passkey. A key kept elsewhere prevents that.
     *
     * @param previous keys that were replaced: challenges sealed with them are accepted until they expire
     */
    public PasskeyServiceBuilder sealedChallenges(byte[] key, byte[]... previous) {
        requireSealed();
        challengeKeys = Stream.concat(Stream.of(key), Stream.of(previous))
                .map(each -> requireKey("a challenge key", each))
                .toList();
        return this;
    }

    /**
     * Stores used challenges here instead of in the database of the passkeys. Finishing a ceremony is then two
     * writes: the challenge first, so that a failure of the second refuses the ceremony.
     */
    public PasskeyServiceBuilder usedChallenges(UsedChallenges remembered) {
        requireSealed();
        used = remembered;
        return this;
    }

    /**
     * Stores users and passkeys here instead of in the data source. A {@link SqlCredentialStore} reports unreadable rows to
     * the consumer passed to its constructor, not to the listener; used challenges are kept in its database.
     */
    public PasskeyServiceBuilder credentialStore(CredentialStore store) {
        credentials = store;
        return this;
    }

    /** Verifies signatures with this provider; the default is the JDK's preferred one. */
    public PasskeyServiceBuilder provider(Provider signatures) {
        provider = signatures;
        return this;
    }

    public PasskeyServiceBuilder clock(Clock source) {
        clock = source;
        return this;
    }

    /** Measures durations with this source. */
    public PasskeyServiceBuilder nanoTime(LongSupplier source) {
        nanoTime = source;
        return this;
    }

    /** Generates challenges and user handles with this source. */
    public PasskeyServiceBuilder random(SecureRandom source) {
        random = source;
        return this;
    }

    /** Notifies these listeners, in this order. */
    public PasskeyServiceBuilder listener(CeremonyListener... inOrder) {
        listeners = List.of(inOrder);
        return this;
    }

    /**
     * Derives the decoy passkeys of users who have none from this secret of at least 32 bytes. All instances need the same
     * secret, and it must survive restarts. By default it is derived from the key of sealed challenges, and with a challenge
     * store it is random. Decoys that change reveal which users have no passkeys, so a service without this key logs a warning
     * when it is built.
     */
    public PasskeyServiceBuilder decoyKey(byte[] secret) {
        decoyKey = requireKey("a decoy key", secret);
        return this;
    }

    /**
     * Reads the shapes of stored passkeys here, so that decoys look the same. By default they are read from the database of a
     * {@link SqlCredentialStore}; with another store, decoys look like common authenticators.
     */
    public PasskeyServiceBuilder passkeyShapes(PasskeyShapes source) {
        shapes = source;
        return this;
    }

    /**
     * Applies a policy to models of authenticators, and trusts the attestations that the metadata describes. By default all
     * models are accepted, and nothing is known about them.
     *
     * @throws IllegalArgumentException if the policy requires attestation, but the configuration does not
     */
    public PasskeyServiceBuilder authenticators(Authenticators known) {
        if (known.policy().attestationRequired() && config.attestationPolicy() != AttestationPolicy.REQUIRE_TRUSTED) {
            throw new IllegalArgumentException("the policy for authenticators requires attestation: set "
                    + AttestationPolicy.REQUIRE_TRUSTED + " in the configuration");
        }
        authenticators = known;
        return this;
    }

    /** Runs background work here. */
    PasskeyServiceBuilder background(Executor executor) {
        background = executor;
        return this;
    }

    /**
     * Derives the user handles of new users from this secret of at least 32 bytes. Registration options then write nothing:
     * the user is stored with the first passkey, without the names passed for the options. All instances need the
     * same secret, and it should be used for nothing else. By default a handle is random, and options store the user.
     *
     * <p>Use it where anonymous clients may request registration options.
     */
    public PasskeyServiceBuilder userHandleKey(byte[] secret) {
        userHandleKey = Hmac.key(requireKey("a user handle key", secret));
        return this;
    }

    /**
     * Seals each passkey's row under this secret of at least 32 bytes, and refuses a login with a row that was changed or
     * never sealed. Off by default.
     *
     * <p>It protects against an attacker who can write to the database: to give a passkey to another user, they need this
     * secret too. Keep it outside of the database. Existing passkeys are refused until {@link PasskeyService#sealPasskeys}
     * has been called once. If the secret is lost or replaced, all passkeys are refused until the table {@code passkey_seal}
     * is emptied and they are sealed again. A custom {@link CredentialStore} must keep the seals.
     */
    public PasskeyServiceBuilder rowIntegrityKey(byte[] secret) {
        seal = new CredentialSeal(secret);
        return this;
    }

    public PasskeyService build() {
        return new PasskeyService(this);
    }

    CredentialStore credentials() {
        if (credentials == null) {
            List<CeremonyListener> notified = listeners;
            credentials = new SqlCredentialStore(
                    new Sql(dataSource), row -> notified.forEach(listener -> listener.unreadable(row)));
        }
        return credentials;
    }

    ChallengeKeeper challenges() {
        return store == null
                ? new SealedChallenges(this::challengeSecrets, config.rpId(), random)
                : new StoredChallenges(store, random);
    }

    /** Commits in one transaction if used challenges and passkeys are in the same database. */
    CeremonyCommit commit() {
        CredentialStore passkeys = credentials();
        if (store == null && used == null && passkeys instanceof SqlCredentialStore) {
            return new SqlCommit(database(), new SqlUsedChallenges(database(), clock));
        }
        return new SeparateCommit(passkeys, used == null ? new SqlUsedChallenges(database(), clock) : used);
    }

    Decoys decoys() {
        if (decoyKey == null) {
            SecurityWarnings.noDecoyKey(store != null);
        }
        if (shapes == null && credentials() instanceof SqlCredentialStore passkeys) {
            shapes = new SqlPasskeyShapes(passkeys.sql());
        }
        Lazy<SecretKeySpec> key = new Lazy<>(decoyKeys());
        var startingIds = new Lazy<>(() -> Decoys.startingIds(Hmac.with(key.get())));
        Executor runner = background == null ? DecoyTables.thread() : background;
        return new Decoys(
                () -> Hmac.own(key.get()),
                new DecoyTables(shapes, startingIds, clock, runner),
                config.maxPasskeysPerUser());
    }

    private Supplier<SecretKeySpec> decoyKeys() {
        if (decoyKey != null) {
            SecretKeySpec given = Hmac.key(decoyKey);
            return () -> given;
        }
        if (store == null) {
            return () -> Hmac.derive(challengeSecrets().get(0), DECOYS);
        }
        SecretKeySpec drawn = Hmac.key(Bytes.random(random, MIN_KEY_BYTES).toByteArray());
        return () -> drawn;
    }

    private List<byte[]> challengeSecrets() {
        return challengeKeys.isEmpty() ? List.of(StoredSecret.read(database(), "challenge", random)) : challengeKeys;
    }

    private Sql database() {
        return credentials() instanceof SqlCredentialStore passkeys ? passkeys.sql() : new Sql(dataSource);
    }

    private void requireSealed() {
        if (store != null) {
            throw new IllegalStateException("sealed challenges cannot be combined with a challenge store");
        }
    }

    private static byte[] requireKey(String name, byte[] key) {
        if (key.length < MIN_KEY_BYTES) {
            throw new IllegalArgumentException(name + " must have at least " + MIN_KEY_BYTES + " bytes");
        }
        return key.clone();
    }
}
