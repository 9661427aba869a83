// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One service with one client, for all classes with tests of OpenID Connect that run in this JVM. */
@ExtendWith(OpenIdFixture.Shared.class)
abstract class OpenIdFixture {
    private static final Pattern CONSENT_FORM = Pattern.compile("name=\"request\" value=\"([^\"]+)\"");

    static final String CALLBACK = OpenIdClient.REDIRECT_URI;
    static Service service;
    static OpenIdClient client;

    /** Starts the service before the first class; it is closed after the last one. */
    static final class Shared implements BeforeAllCallback {
        @Override
        public void beforeAll(ExtensionContext context) {
            service = context.getRoot()
                    .getStore(ExtensionContext.Namespace.GLOBAL)
                    .getOrComputeIfAbsent(OpenIdFixture.class, key -> start(), Service.class);
        }

        private static Service start() {
            Service started = Service.on(TestDatabase.SQLITE);
            client = OpenIdClient.register(started.admin(), "");
            return started;
        }
    }

    static Web signedIn() {
        return service.newUser().enroll().bySession();
    }

    static String encoded(Person person) {
        return person.userId().replace(" ", "%20");
    }

    /** The claims of a JWT that the service signed. */
    static JWTClaimsSet claims(String jwt) throws Exception {
        SignedJWT token = SignedJWT.parse(jwt);
        JWKSet published =
                JWKSet.parse(service.web().get("/.well-known/jwks.json").body());
        var key = published.getKeyByKeyId(token.getHeader().getKeyID());
        assertThat(token.verify(key instanceof ECKey ec ? new ECDSAVerifier(ec) : new RSASSAVerifier(key.toRSAKey())))
                .isTrue();
        return token.getJWTClaimsSet();
    }

    static void execute(String statement) {
        service.withSql(sql -> sql.update(statement));
    }

    /** The sealed request in the form of the consent page. */
    static String consentForm(TestResponse page) {
        Matcher request = CONSENT_FORM.matcher(page.expect(200).body());
        assertThat(request.find()).as("a consent form").isTrue();
        return request.group(1);
    }

    /** Opens the consent page, decides on it, and returns the page that follows. */
    static String consent(Web browser, String sealed, String decision) {
        return decide(browser, consentForm(OpenIdClient.proceed(browser, sealed)), decision);
    }

    /** Sends a consent form and returns the page that follows. */
    static String decide(Web browser, String form, String decision) {
        return browser.postForm("/oauth2/consent", Map.of("request", form, "decision", decision))
                .expect(200)
                .body();
    }
}
