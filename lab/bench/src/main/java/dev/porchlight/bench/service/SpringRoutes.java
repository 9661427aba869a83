// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.FastAuthenticator;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import java.io.IOException;
import java.net.URI;

/** Registers and logs in through Spring Security's routes, as its own script does, with its CSRF token and session. */
record SpringRoutes(URI origin) implements Routes {
    /** An arbitrary token: the server compares the header with the cookie and stores nothing. */
    private static final String TOKEN = "b8a3a1f2-0c4e-4d5b-9f0e-6a7c2d1e3f40";

    private static final String HEADER = "X-XSRF-TOKEN";
    private static final String COOKIE = "XSRF-TOKEN=" + TOKEN;

    @Override
    public Person register(String userId, Connection connection) throws IOException {
        SoftAuthenticator authenticator = SoftAuthenticator.securityKey();
        TestResponse signedUp =
                expect(connection.post("/signup", "{\"userId\":\"" + userId + "\"}", HEADER, TOKEN, "Cookie", COOKIE));
        String cookies = COOKIE + "; " + session(signedUp);
        TestResponse options =
                expect(connection.post("/webauthn/register/options", "{}", HEADER, TOKEN, "Cookie", cookies));
        String made = new SoftBrowser(origin.toString(), authenticator).create(options.body());
        expect(connection.post(
                "/webauthn/register",
                "{\"publicKey\":{\"label\":\"key\",\"credential\":" + made + "}}",
                HEADER,
                TOKEN,
                "Cookie",
                cookies));
        return FastAuthenticator.of(
                new Person(new Web(connection), origin.toString(), userId, authenticator), origin.toString());
    }

    @Override
    public TestResponse options(Person person, Connection connection) throws IOException {
        return connection.post("/webauthn/authenticate/options", "{}", HEADER, TOKEN, "Cookie", COOKIE);
    }

    @Override
    public TestResponse finish(Person person, Connection connection, TestResponse options, String response)
            throws IOException {
        return connection.post("/login/webauthn", response, HEADER, TOKEN, "Cookie", COOKIE + "; " + session(options));
    }

    private static String session(TestResponse response) throws IOException {
        String cookie = response.header("Set-Cookie");
        if (cookie == null || !cookie.startsWith("JSESSIONID=")) {
            throw new IOException("no session: " + response.headers());
        }
        return cookie.substring(0, cookie.indexOf(';'));
    }

    private static TestResponse expect(TestResponse response) throws IOException {
        if (!response.ok()) {
            throw new IOException(response.toString());
        }
        return response;
    }
}
