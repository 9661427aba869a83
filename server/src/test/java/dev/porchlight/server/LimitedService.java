// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A service on which an address may start eight ceremonies per minute. It is behind a trusted proxy, which lets the tests
 * use any address.
 *
 * @param spa a public client, which anyone can pretend to be
 */
record LimitedService(Service service, OpenIdClient spa) implements AutoCloseable {
    static final int LIMIT = 8;
    /** Options cost a quarter of a ceremony. */
    static final int OPTIONS = 4 * LIMIT;
    /** The requests of a signed-in user, and the reports of an address. */
    static final int REQUESTS = 5 * LIMIT;

    private static final AtomicInteger ADDRESSES = new AtomicInteger();

    static LimitedService behindAProxy() {
        Service service = start("TRUSTED_PROXIES", "127.0.0.0/8");
        return new LimitedService(service, OpenIdClient.register(service.admin(), ",\"public\":true"));
    }

    /** Starts a service with the limit and other settings. */
    static Service start(String... settings) {
        String[] limit = {"RATE_LIMIT_PER_MINUTE", Integer.toString(LIMIT)};
        return Service.on(
                TestDatabase.SQLITE,
                Stream.of(limit, settings).flatMap(Stream::of).toArray(String[]::new));
    }

    /** An address that no other test uses. */
    static String newAddress() {
        int number = ADDRESSES.incrementAndGet();
        return "192.0." + (10 + number / 250) + "." + number % 250;
    }

    Web fromNewAddress() {
        return service.web().with("X-Forwarded-For", newAddress());
    }

    /** Registers a user at an address. */
    static Person user(Web address, String userId) {
        return new Person(address, "http://localhost", userId, SoftAuthenticator.syncedPasskeys()).enroll();
    }

    /** Presents an invented code of the public client. */
    TestResponse guess(Web web, int number) {
        return spa.post(web, "/oauth2/token", Map.of("grant_type", "authorization_code", "code", "guess " + number));
    }

    static TestResponse options(Web web) {
        return web.get(Person.LOGIN_OPTIONS);
    }

    static TestResponse options(Web web, String userId) {
        return web.get(Person.LOGIN_OPTIONS + Web.user(userId));
    }

    /** Uses up the budget of an address. */
    static void exhaust(Web web) {
        for (int i = 0; i <= OPTIONS; i++) {
            options(web);
        }
    }

    @Override
    public void close() {
        service.close();
    }
}
