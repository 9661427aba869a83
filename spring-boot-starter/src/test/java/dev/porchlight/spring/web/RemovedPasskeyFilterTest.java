// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.store.MemoryChallengeStore;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.sqlite.SQLiteDataSource;

/** Sessions of removed passkeys, at routes of the application. */
class RemovedPasskeyFilterTest extends AccountFixture {
    @Test
    void a_session_ends_at_any_route_when_its_passkey_is_removed() throws Exception {
        register("ada", new SoftBrowser(CONFIG.origin(), SoftAuthenticator.securityKey()));
        signIn();
        var filter = new RemovedPasskeyFilter(
                () -> new AccountUsers(passkeys, new SessionSignIn(), new RecentLogin(Duration.ofMinutes(5))));
        passkeys.remove("ada", passkeys.passkeys("ada").get(1).credentialId(), false);
        var page = new MockHttpServletRequest("GET", "/orders");
        page.setSession(session);
        filter.doFilter(page, new MockHttpServletResponse(), new MockFilterChain());
        assertThat(session.isInvalid()).isFalse();

        passkeys.remove("ada", id("ada"), true);
        var next = new MockHttpServletRequest("GET", "/orders");
        next.setSession(session);
        var chain = new MockFilterChain();
        filter.doFilter(next, new MockHttpServletResponse(), chain);

        assertThat(session.isInvalid()).isTrue();
        assertThat(((MockHttpServletRequest) chain.getRequest()).getSession(false))
                .isNull();
    }

    @Test
    void a_session_is_refused_while_its_passkey_cannot_be_checked() throws Exception {
        signIn();
        var unreachable = new SQLiteDataSource();
        unreachable.setUrl("jdbc:sqlite:" + directory.resolve("missing/shop.db"));
        var broken = new PasskeyService(CONFIG, unreachable, new MemoryChallengeStore());
        var filter = new RemovedPasskeyFilter(
                () -> new AccountUsers(broken, new SessionSignIn(), new RecentLogin(Duration.ofMinutes(5))));
        var page = new MockHttpServletRequest("GET", "/orders");
        page.setSession(session);
        var response = new MockHttpServletResponse();
        var chain = new MockFilterChain();

        filter.doFilter(page, response, chain);

        assertThat(response.getStatus()).isEqualTo(503);
        assertThat(chain.getRequest()).isNull();
        assertThat(session.isInvalid()).isFalse();
    }
}
