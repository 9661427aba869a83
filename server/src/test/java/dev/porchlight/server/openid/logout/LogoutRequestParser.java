// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.logout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.openid.RequestFixture;
import dev.porchlight.server.openid.RequestParser;
import dev.porchlight.server.openid.protocol.Parameters;
import dev.porchlight.server.openid.protocol.RefusedException;

/** The parser of logout requests. */
public enum LogoutRequestParser implements RequestParser {
    LOGOUT_REQUEST;

    @Override
    public void read(String text) throws RefusedException {
        var fixture = RequestFixture.SHARED;
        var request =
                LogoutRoutes.LogoutRequest.of(Parameters.parse(text), fixture.clients, fixture.tokens, fixture.sql);
        assertThat(request.userId()).as("a forged hint").isNull();
        String target = request.target();
        if (target != null) {
            assertThat(target).matches("https://app\\.example/bye([?]state=[A-Za-z0-9%+*._-]*)?");
        }
    }
}
