// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.passkey;

import dev.porchlight.passkey.CreationOptions;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.RequestOptions;
import dev.porchlight.passkey.store.ChallengeStore;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.CredentialStore;
import dev.porchlight.passkey.store.StoredChallenge;
import dev.porchlight.passkey.store.UserRecord;
import dev.porchlight.testkit.Counting;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.wire.JsonObject;
import java.security.Provider;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteDataSource;

/** A registration and a login with a passkey without a sign count, so that both can be verified repeatedly. */
final class Material {
    static final String RP_ID = "example.org";
    static final String ORIGIN = "https://example.org";
    static final String USER = "ada";

    final OneCredential credentials = new OneCredential();
    final UnspentChallenge challenges = new UnspentChallenge();
    final PasskeyService service;
    final String creationOptions;
    /** The COSE number of the passkey's algorithm. */
    final int algorithm;

    final String registration;
    final String requestOptions;
    final String assertion;

    /** Our service, with this provider (null for the JDK's), and the recorded responses of browsers. */
    Material(@Nullable Provider provider) {
        this(provider, SoftAuthenticator.syncedPasskeys(), List.of(CredentialAlgorithm.ES256));
    }

    /** A passkey with this algorithm, which the service allows beside ES256. */
    static Material of(@Nullable Provider provider, CredentialAlgorithm algorithm) {
        SoftAuthenticator authenticator = SoftAuthenticator.builder()
                .algorithms((int) algorithm.cose())
                .counting(Counting.NOT_AT_ALL)
                .build();
        return new Material(provider, authenticator, List.of(CredentialAlgorithm.ES256, algorithm));
    }

    private Material(
            @Nullable Provider provider, SoftAuthenticator authenticator, List<CredentialAlgorithm> algorithms) {
        var config = PasskeyConfig.builder("Example", RP_ID, ORIGIN)
                .algorithms(algorithms)
                .build();
        var builder = PasskeyService.builder(config, new SQLiteDataSource(), challenges)
                .credentialStore(credentials);
        service = (provider == null ? builder : builder.provider(provider)).build();
        var browser = new SoftBrowser(ORIGIN, authenticator);

        CreationOptions creation = service.startRegistration(USER);
        creationOptions = creation.toJson();
        registration = browser.create(creationOptions);
        algorithm = JsonObject.parse(registration).object("response").integer("publicKeyAlgorithm");
        if (!service.finishRegistration(USER, registration).registered()) {
            throw new IllegalStateException("the registration was refused");
        }
        RequestOptions request = service.startAuthentication(USER);
        requestOptions = request.toJson();
        assertion = browser.get(requestOptions);
        challenges.issued(creation.challenge());
        challenges.issued(request.challenge());
    }

    /** A store for the most recently registered passkey, at no cost. Not thread-safe. */
    static final class OneCredential implements CredentialStore {
        private @Nullable CredentialRecord credential;
        private @Nullable UserRecord user;

        @Override
        public @Nullable CredentialRecord find(String credentialId) {
            return credential != null && credential.credentialId().equals(credentialId) ? credential : null;
        }

        @Override
        public List<CredentialRecord> list(String userId) {
            return credential == null ? List.of() : List.of(credential);
        }

        @Override
        public Addition add(CredentialRecord added, int limit) {
            credential = added;
            return Addition.ADDED;
        }

        @Override
        public boolean advance(String credentialId, Use use) {
            return true;
        }

        @Override
        public boolean touch(String credentialId, Use use) {
            return true;
        }

        @Override
        public boolean rename(String userId, String credentialId, String name) {
            return false;
        }

        @Override
        public Removal remove(String userId, String credentialId, boolean allowLast) {
            return Removal.NOT_FOUND;
        }

        @Override
        public @Nullable UserRecord user(String userId) {
            return user;
        }

        @Override
        public UserRecord enroll(UserRecord enrolled) {
            user = enrolled;
            return enrolled;
        }
    }

    /** Challenges that stay valid: peers also receive theirs with each response. Not thread-safe. */
    static final class UnspentChallenge implements ChallengeStore {
        private final Map<String, StoredChallenge> issued = new HashMap<>();

        void issued(String challenge) {
            issued.put(challenge, new StoredChallenge(challenge, Long.MAX_VALUE));
        }

        @Override
        public @Nullable StoredChallenge takeChallenge(String userId, String challenge) {
            return issued.get(challenge);
        }

        @Override
        public @Nullable StoredChallenge getChallenge(String userId) {
            return null;
        }

        @Override
        public void setChallenge(String userId, String challenge, long expiresAt) {
            issued.put(challenge, new StoredChallenge(challenge, expiresAt));
        }

        @Override
        public void clearChallenge(String userId) {
            issued.clear();
        }
    }
}
