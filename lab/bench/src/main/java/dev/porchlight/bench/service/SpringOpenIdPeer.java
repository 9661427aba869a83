// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.rig.Instance;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.server.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Spring Authorization Server, whose users sign in with a password on its default page. It has no passkeys.
 *
 * @param home the build directory
 * @param javaHome the JDK
 */
record SpringOpenIdPeer(Path home, Path javaHome) implements OpenIdProvider {
    private static final Pattern CSRF = Pattern.compile("name=\"_csrf\"[^>]*value=\"([^\"]+)\"");

    @Override
    public String label() {
        return "Spring Authorization Server";
    }

    @Override
    public Running launch(Path directory, Storage.Address storage) throws IOException {
        int port = Ports.free();
        List<String> command = List.of(
                javaHome.resolve("bin/java").toString(),
                "-jar",
                home.resolve("target/spring-openid-peer.jar").toString(),
                "--server.port=" + port,
                "--spring.profiles.active=" + (storage.postgres() ? "postgres" : "sqlite"),
                "--spring.datasource.url=" + storage.jdbc());
        Instance instance = CommandPeer.start(new ProcessBuilder(command), directory, port);
        return Running.withOurRoutes(label(), instance); // the passkey routes are not used
    }

    @Override
    public OpenIdClient client(Connection connection) {
        return new OpenIdClient(new Web(connection), "app", "secret").withScope("openid profile offline_access");
    }

    @Override
    public String session(Running running, Connection connection, int user) throws IOException {
        TestResponse page = connection.get("/login");
        Matcher csrf = CSRF.matcher(page.body());
        if (!csrf.find()) {
            throw new IOException("the sign-in page has no CSRF token: " + page);
        }
        TestResponse signedIn = connection.postForm(
                "/login",
                "username=user-" + user + "&password=password&_csrf=" + csrf.group(1),
                "Cookie",
                page.cookie());
        if (signedIn.cookie().isEmpty()) {
            throw new IOException("the sign-in failed: " + signedIn);
        }
        return signedIn.cookie();
    }

    @Override
    public String code(OpenIdClient client, Connection connection, String session) throws IOException {
        Web browser = new Web(connection).cookie(session);
        return String.valueOf(OpenIdClient.response(client.authorize(browser, client.request()))
                .get("code"));
    }

    @Override
    public String userinfo() {
        return "/userinfo";
    }
}
