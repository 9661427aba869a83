// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.rig.http.Connection;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Transport;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.server.Ports;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keycloak in its optimized build for PostgreSQL, with a realm of one client. Its users sign in with a password on its page.
 *
 * @param home the build directory
 * @param javaHome the JDK
 */
record KeycloakPeer(Path home, Path javaHome) implements OpenIdProvider {
    private static final String ENDPOINTS = "/realms/bench/protocol/openid-connect";
    private static final Pattern FORM = Pattern.compile("action=\"https?://[^/\"]+([^\"]+)\"");

    @Override
    public String label() {
        return "Keycloak 26";
    }

    @Override
    public boolean runsOn(Storage storage) {
        return storage.server();
    }

    @Override
    public Running launch(Path directory, Storage.Address storage) throws IOException {
        int port = Ports.free();
        ProcessBuilder builder = new ProcessBuilder(
                home.resolve("target/keycloak/bin/kc.sh").toString(),
                "start",
                "--optimized",
                "--import-realm",
                "--cache=local",
                "--http-enabled=true",
                "--http-host=127.0.0.1",
                "--http-port=" + port,
                "--hostname-strict=false",
                "--db-url=" + storage.jdbc(),
                "--db-username=porchlight");
        builder.environment().put("JAVA_HOME", javaHome.toString());
        // The passkey routes are not used.
        return Running.withOurRoutes(label(), CommandPeer.start(builder, directory, port));
    }

    @Override
    public OpenIdClient client(Connection connection) {
        return new OpenIdClient(new Web(connection), "app", "secret").withScope("openid profile");
    }

    @Override
    public OpenIdClient at(OpenIdClient client, Connection connection) {
        return client.at(new Endpoints(connection));
    }

    @Override
    public String session(Running running, Connection connection, int user) throws IOException {
        OpenIdClient client = client(connection);
        Map<String, String> cookies = new LinkedHashMap<>();
        TestResponse page = connection.get(ENDPOINTS + "/auth?" + OpenIdClient.form(client.request()));
        keep(page, cookies);
        Matcher form = FORM.matcher(page.body());
        if (!form.find()) {
            throw new IOException("the sign-in page has no form: " + page);
        }
        TestResponse signedIn = connection.postForm(
                form.group(1).replace("&amp;", "&"),
                "username=user-" + user + "&password=password",
                "Cookie",
                header(cookies));
        keep(signedIn, cookies);
        if (!OpenIdClient.response(signedIn).containsKey("code")) {
            throw new IOException("the sign-in failed: " + signedIn);
        }
        return header(cookies);
    }

    @Override
    public String code(OpenIdClient client, Connection connection, String session) {
        OpenIdClient here = at(client, connection);
        Web browser = here.web().cookie(session);
        return String.valueOf(
                OpenIdClient.response(here.authorize(browser, here.request())).get("code"));
    }

    @Override
    public String userinfo() {
        return ENDPOINTS + "/userinfo";
    }

    private static void keep(TestResponse response, Map<String, String> cookies) {
        for (String cookie : response.headers().allValues("Set-Cookie")) {
            String[] pair = cookie.replaceFirst(";.*", "").split("=", 2);
            if (pair[1].isEmpty()) {
                cookies.remove(pair[0]);
            } else {
                cookies.put(pair[0], pair[1]);
            }
        }
    }

    private static String header(Map<String, String> cookies) {
        return cookies.entrySet().stream()
                .map(cookie -> cookie.getKey() + '=' + cookie.getValue())
                .collect(Collectors.joining("; "));
    }

    /** Sends requests for our endpoints to those of the realm. */
    private record Endpoints(Connection connection) implements Transport {
        @Override
        public URI address() {
            return connection.address();
        }

        @Override
        public TestResponse send(String method, String path, @Nullable String body, String... headers)
                throws IOException {
            String theirs = path.replace(OpenIdClient.AUTHORIZE, ENDPOINTS + "/auth")
                    .replace(OpenIdClient.TOKEN, ENDPOINTS + "/token");
            return connection.send(method, theirs, body, headers);
        }
    }
}
