// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.passkey;

import dev.porchlight.passkey.CreationOptions;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.RequestOptions;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import java.security.Provider;
import java.util.List;
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
    final String registration;
    final String requestOptions;
    final String assertion;

    /** Our service, with this provider (null for the JDK's), and the recorded responses of browsers. */
    Material(@Nullable Provider provider) {
        this(provider, SoftAuthenticator.syncedPasskeys(), List.of(CredentialAlgorithm.ES256));
    }

    /** The service also allows these algorithms. */
    Material(@Nullable Provider provider, SoftAuthenticator authenticator, List<CredentialAlgorithm> algorithms) {
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
        if (!service.finishRegistration(USER, registration).registered()) {
            throw new IllegalStateException("the registration was refused");
        }
        RequestOptions request = service.startAuthentication(USER);
        requestOptions = request.toJson();
        assertion = browser.get(requestOptions);
        challenges.issued(creation.challenge());
        challenges.issued(request.challenge());
    }
}
