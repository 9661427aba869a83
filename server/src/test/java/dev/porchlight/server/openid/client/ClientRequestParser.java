// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.openid.RequestFixture;
import dev.porchlight.server.openid.RequestParser;
import dev.porchlight.server.openid.client.ClientAuthenticator.Claim;
import dev.porchlight.server.openid.protocol.Parameters;
import dev.porchlight.server.openid.protocol.RefusedException;
import java.net.URI;
import java.util.List;

/** The parsers of redirect URIs and of clients' credentials. */
public enum ClientRequestParser implements RequestParser {
    REDIRECT_URI {
        @Override
        public void read(String text) {
            Client client = new Client(
                    "app",
                    "App",
                    null,
                    ClientSettings.of(List.of(RequestFixture.REGISTERED, "http://127.0.0.1/callback")),
                    0,
                    0);
            if (client.accepts(text)) {
                assertThat(text).matches("https://app\\.example/callback|http://127\\.0\\.0\\.1(:\\d{1,5})?/callback");
            }
            if (RedirectUri.problem(text).isEmpty()) {
                assertThat(URI.create(text).getScheme()).isNotNull();
                RedirectUri.origin(text).ifPresent(origin -> assertThat(text).startsWith(origin));
            }
        }
    },
    CLIENT_ASSERTION {
        @Override
        public void read(String text) throws RefusedException {
            var fixture = RequestFixture.SHARED;
            var authenticator =
                    new ClientAuthenticator(fixture.clients, fixture.sql, RequestFixture.ISSUER, fixture.clock);
            Claim claim = Claim.of(List.of(), Parameters.parse(text));
            throw new AssertionError("authenticated as " + authenticator.recognize(claim));
        }
    }
}
