// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.authorize;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.MalformedException;
import dev.porchlight.server.openid.RequestFixture;
import dev.porchlight.server.openid.RequestParser;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.protocol.Parameters;
import dev.porchlight.server.openid.protocol.RefusedException;

/** The parsers of authorization requests. */
public enum AuthorizeRequestParser implements RequestParser {
    SIGN_IN_REQUEST {
        @Override
        public void read(String text) throws MalformedException {
            SignInRequest request = SignInRequest.parse(text);
            assertThat(SignInRequest.parse(request.toJson())).isEqualTo(request);
        }
    },
    AUTHORIZATION_REQUEST {
        @Override
        public void read(String text) throws RefusedException {
            AuthorizationRequests requests = requests();
            Parameters parameters = Parameters.parse(text);
            Client client = requests.client(parameters);
            SignInRequest.Target target = requests.target(client, parameters);
            assertThat(target.redirectUri()).isEqualTo(RequestFixture.REGISTERED);
            SignInRequest request = requests.validate(client, target, parameters);
            assertThat(request.code().redirectUri()).isEqualTo(RequestFixture.REGISTERED);
            assertThat(request.code().scopes()).contains("openid");
            assertThat(sealed().open(sealed().seal(request))).isEqualTo(request);
        }
    },
    PUSHED_REQUEST {
        @Override
        public void read(String text) {
            assertThat(sealed().openPushed(text, "app")).isNull();
            assertThat(sealed().open(text)).isNull();
        }
    };

    private static AuthorizationRequests requests() {
        var fixture = RequestFixture.SHARED;
        return new AuthorizationRequests(fixture.clients, fixture.tokens, fixture.sql, fixture.clock);
    }

    private static SealedRequests sealed() {
        var fixture = RequestFixture.SHARED;
        return new SealedRequests(fixture.sealer, fixture.sql, fixture.clock);
    }
}
