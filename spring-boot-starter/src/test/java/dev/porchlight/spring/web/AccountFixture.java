// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.store.MemoryChallengeStore;
import dev.porchlight.passkey.store.Migration;
import dev.porchlight.spring.explain.RecentRefusals;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;
import org.sqlite.SQLiteDataSource;

/** An application without Spring Security, with the registered user {@code ada}. */
abstract class AccountFixture {
    static final PasskeyConfig CONFIG = new PasskeyConfig("Shop", "shop.example", "https://shop.example");

    @TempDir
    Path directory;

    private final SoftBrowser browser = new SoftBrowser(CONFIG.origin(), SoftAuthenticator.securityKey());
    PasskeyService passkeys;
    private RouterFunction<ServerResponse> routes;

    @Nullable
    MockHttpSession session;

    String site = "same-origin";

    @BeforeEach
    void prepare() {
        var database = new SQLiteDataSource();
        database.setUrl("jdbc:sqlite:" + directory.resolve("shop.db"));
        Migration.run(database);
        passkeys = new PasskeyService(CONFIG, database, new MemoryChallengeStore());
        var configuration = new PasskeyRoutesAutoConfiguration();
        var times = configuration.signInTime();
        var users = new AccountUsers(passkeys, times, new RecentLogin(Duration.ofMinutes(5)));
        routes = configuration.passkeyRoutes(
                passkeys,
                CONFIG,
                configuration.registeringUser(users),
                configuration.passkeySignIn(),
                users,
                times,
                configuration.passkeySignOut(),
                new StaticListableBeanFactory().getBeanProvider(RecentRefusals.class));
        register("ada", browser);
    }

    @AfterEach
    void close() {
        passkeys.close();
    }

    void register(String userId, SoftBrowser device) {
        String options = passkeys.startRegistration(userId).toJson();
        assertThat(passkeys.finishRegistration(userId, device.create(options)).registered())
                .isTrue();
    }

    String id(String userId) {
        return passkeys.passkeys(userId).get(0).credentialId();
    }

    void signIn() throws Exception {
        String options =
                send("GET", "/auth/passkey/login/options?userId=ada", null).getContentAsString();
        assertThat(send("POST", "/auth/passkey/login/finish?userId=ada", browser.get(options))
                        .getStatus())
                .isEqualTo(200);
    }

    MockHttpServletResponse send(String method, String path, @Nullable String body) throws Exception {
        var request = Requests.of(method, path, body, session);
        request.addHeader("Sec-Fetch-Site", site);
        var response = Requests.send(routes, request);
        session = (MockHttpSession) request.getSession(false);
        return response;
    }
}
