// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.http.Response;
import dev.porchlight.rig.load.Person;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import java.io.IOException;
import java.net.URI;

/** Registers and logs in through Spring Security's routes, as its own script does, with its CSRF token and session. */
record SpringRoutes(URI origin) implements Routes {
    /** An arbitrary token: the server compares the header with the cookie and stores nothing. */
    private static final String TOKEN = "b8a3a1f2-0c4e-4d5b-9f0e-6a7c2d1e3f40";

    private static final String HEADER = "X-XSRF-TOKEN: " + TOKEN;
    private static final String COOKIE = "Cookie: XSRF-TOKEN=" + TOKEN;

    @Override
    public Person register(String userId, Connection connection) throws IOException {
        SoftAuthenticator authenticator = SoftAuthenticator.securityKey();
        Response signedUp = expect(connection.post("/signup", "{\"userId\":\"" + userId + "\"}", HEADER, COOKIE));
        String cookies = COOKIE + "; " + session(signedUp);
        Response options = expect(connection.post("/webauthn/register/options", "{}", HEADER, cookies));
        String made = new SoftBrowser(origin.toString(), authenticator).create(options.body());
        expect(connection.post(
                "/webauthn/register",
                "{\"publicKey\":{\"label\":\"key\",\"credential\":" + made + "}}",
                HEADER,
                cookies));
        return Person.of(userId, origin, authenticator);
    }

    @Override
    public Response options(Person person, Connection connection) throws IOException {
        return connection.post("/webauthn/authenticate/options", "{}", HEADER, COOKIE);
    }

    @Override
    public Response finish(Person person, Connection connection, Response options, String response) throws IOException {
        return connection.post("/login/webauthn", response, HEADER, COOKIE + "; " + session(options));
    }

    private static String session(Response response) throws IOException {
        String cookie = response.header("Set-Cookie");
        if (cookie == null || !cookie.startsWith("JSESSIONID=")) {
            throw new IOException("no session: " + response.head());
        }
        return cookie.substring(0, cookie.indexOf(';'));
    }

    private static Response expect(Response response) throws IOException {
        if (!response.ok()) {
            throw new IOException(response.toString());
        }
        return response;
    }
}
