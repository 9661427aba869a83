// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.passkey.store.ChallengeStore;
import dev.porchlight.passkey.store.CredentialSeal;
import dev.porchlight.passkey.store.CredentialStore;
import dev.porchlight.passkey.store.Sql;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.passkey.store.SqlUsedChallenges;
import dev.porchlight.passkey.store.UsedChallenges;
import java.security.Provider;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What a {@link PasskeyService} is made of, with defaults for all that need not be said. For one thread. */
public final class PasskeyServiceBuilder {
    private static final int KEY_BYTES = 32;

    final PasskeyConfig config;
    private final @Nullable ChallengeStore store;
    private final DataSource dataSource;
    private List<byte[]> challengeKeys = List.of();
    private @Nullable UsedChallenges used;
    private @Nullable CeremonyCommit commit;
    private @Nullable CredentialStore credentials;

    @Nullable
    Provider provider;

    Clock clock = Clock.systemUTC();
    LongSupplier nanoTime = System::nanoTime;
    SecureRandom random = new SecureRandom();
    CeremonyListener listener = CeremonyListener.NONE;
    private byte @Nullable [] decoyKey;

    @Nullable
    CredentialSeal seal;

    PasskeyServiceBuilder(PasskeyConfig config, DataSource dataSource, @Nullable ChallengeStore store) {
        this.config = config;
        this.store = store;
        this.dataSource = dataSource;
    }

    /**
     * Seals challenges with a secret key of at least 32 bytes instead of storing them. Options then write nothing, so
     * strangers who ask for them need no storage; what is stored, until it expires, is that a challenge was used. All
     * instances need the same key. It should be used for nothing else.
     *
     * @param previous keys that were replaced: challenges sealed with them are accepted until they expire
     */
    public PasskeyServiceBuilder sealedChallenges(byte[] key, byte[]... previous) {
        if (store != null) {
            throw new IllegalStateException("challenges are either stored or sealed, and a challenge store was given");
        }
        challengeKeys = Stream.concat(Stream.of(key), Stream.of(previous))
                .map(each -> requireKey("a challenge key", each))
                .toList();
        return this;
    }

    /** Remembers elsewhere than in the data source which sealed challenges were used. */
    public PasskeyServiceBuilder usedChallenges(UsedChallenges remembered) {
        used = remembered;
        return this;
    }

    /**
     * Keeps users and passkeys elsewhere than in the data source. A {@link SqlCredentialStore} given here reports
     * unreadable rows where its constructor says, and not to the listener.
     */
    public PasskeyServiceBuilder credentialStore(CredentialStore store) {
        credentials = store;
        return this;
    }

    /** Verifies signatures with this provider; by default with whichever the JDK prefers. */
    public PasskeyServiceBuilder provider(Provider signatures) {
        provider = signatures;
        return this;
    }

    /** Tells the time with this clock. */
    public PasskeyServiceBuilder clock(Clock source) {
        clock = source;
        return this;
    }

    /** Measures durations with this source. */
    public PasskeyServiceBuilder nanoTime(LongSupplier source) {
        nanoTime = source;
        return this;
    }

    /** Draws challenges and user handles from this source. */
    public PasskeyServiceBuilder random(SecureRandom source) {
        random = source;
        return this;
    }

    /** Tells this listener what happens. */
    public PasskeyServiceBuilder listener(CeremonyListener hearer) {
        listener = hearer;
        return this;
    }

    /**
     * Makes the passkeys of users who have none from this secret of at least 32 bytes. Instances that answer for each
     * other need the same, and it should outlive a restart; by default it is random.
     */
    public PasskeyServiceBuilder decoyKey(byte[] secret) {
        decoyKey = requireKey("a decoy key", secret);
        return this;
    }

    /**
     * Seals each passkey's row under this secret of at least 32 bytes, and refuses a login with a row that was changed or
     * never sealed. Off by default.
     *
     * <p>It is for those who do not trust everybody that can write to their database: whoever gives a passkey to another
     * user there needs this secret too. Keep it where the database is not. Passkeys that were there before are refused
     * until {@link PasskeyService#sealPasskeys} has been called once; so are all if the secret is lost or replaced, until
     * the table {@code passkey_seal} is emptied and they are sealed again. A {@link CredentialStore} of one's own must
     * keep the seals.
     */
    public PasskeyServiceBuilder rowIntegrityKey(byte[] secret) {
        seal = new CredentialSeal(secret);
        return this;
    }

    /**
     * The service.
     *
     * @throws IllegalStateException if there is neither a challenge store nor a key for sealed challenges
     */
    public PasskeyService build() {
        if (store == null && challengeKeys.isEmpty()) {
            throw new IllegalStateException("give a challenge store or call sealedChallenges(key)");
        }
        return new PasskeyService(this);
    }

    CredentialStore credentials() {
        if (credentials == null) {
            Sql sql = new Sql(dataSource);
            credentials = new SqlCredentialStore(sql, listener::unreadable);
            commit = used == null ? new SqlCommit(sql, new SqlUsedChallenges(sql, clock)) : null;
        }
        return credentials;
    }

    ChallengeKeeper challenges() {
        return store == null
                ? new SealedChallenges(challengeKeys, config.rpId(), random)
                : new StoredChallenges(store, random);
    }

    /** In one transaction where everything is in the data source. */
    CeremonyCommit commit() {
        CredentialStore passkeys = credentials();
        if (commit != null) {
            return commit;
        }
        return new SeparateCommit(passkeys, used == null ? new SqlUsedChallenges(new Sql(dataSource), clock) : used);
    }

    private static byte[] requireKey(String what, byte[] key) {
        if (key.length < KEY_BYTES) {
            throw new IllegalArgumentException(what + " has at least " + KEY_BYTES + " bytes");
        }
        return key.clone();
    }

    byte[] decoyKey() {
        if (decoyKey != null) {
            return decoyKey;
        }
        byte[] fresh = new byte[KEY_BYTES];
        random.nextBytes(fresh);
        return fresh;
    }
}
