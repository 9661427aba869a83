// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.openid.RequestFixture;
import dev.porchlight.server.openid.RequestParser;
import dev.porchlight.server.openid.protocol.Parameters;
import dev.porchlight.server.openid.protocol.RefusedException;
import java.util.List;

/** The parsers of the token endpoint. */
public enum TokenRequestParser implements RequestParser {
    DPOP_PROOF {
        @Override
        public void read(String text) throws RefusedException {
            var proofs = new DpopProofs(RequestFixture.ISSUER, RequestFixture.SHARED.sql, RequestFixture.SHARED.clock);
            throw new AssertionError("accepted: " + proofs.announced(List.of(text), "/oauth2/token"));
        }
    },
    TOKEN_FORM {
        @Override
        public void read(String text) throws RefusedException {
            Parameters parameters = Parameters.parse(text);
            for (String name : List.of("code", "refresh_token")) {
                String token = parameters.get(name);
                assertThat(token != null && RequestFixture.SHARED.authorizations.isGenuine(token))
                        .isFalse();
            }
        }
    }
}
