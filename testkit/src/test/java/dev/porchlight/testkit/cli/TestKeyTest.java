// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestKeyTest {
    private static final String CREATE = """
            {"rp":{"id":"localhost","name":"Example"},"user":{"id":"YWRh","name":"ada","displayName":"Ada"},
            "challenge":"AAAAAAAAAAAAAAAAAAAAAA","pubKeyCredParams":[{"type":"public-key","alg":-7}],
            "authenticatorSelection":{"residentKey":"required"}}""";
    private static final String GET = "{\"challenge\":\"AAAAAAAAAAAAAAAAAAAAAA\",\"rpId\":\"localhost\"}";

    @TempDir
    Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void passkeys_and_counts_survive_between_runs() throws Exception {
        assertThat(run(CREATE, "create", "--store", store(), "--origin", "http://localhost"))
                .isZero();
        String id = response().string("id");
        long count = held().passkeys().get(0).signCount();

        assertThat(run(GET, "get", "--store", store(), "--origin", "http://localhost"))
                .isZero();
        assertThat(response().string("id")).isEqualTo(id);
        assertThat(held().passkeys().get(0).signCount()).isEqualTo(count + 1);
    }

    @Test
    void refusals_match_those_of_a_browser() throws Exception {
        assertThat(run(GET, "get", "--store", store(), "--origin", "http://localhost"))
                .isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("NotAllowedError: ");
        assertThat(run("[]", "get", "--store", store(), "--origin", "http://localhost"))
                .isEqualTo(1);
        assertThat(out.size()).isZero();
        assertThat(Path.of(store())).doesNotExist();
    }

    @Test
    void wrong_arguments_print_the_usage() throws Exception {
        for (List<String> arguments :
                List.of(List.<String>of(), List.of("get"), List.of("make", "--store", "x", "--origin", "y"))) {
            assertThat(run(GET, arguments.toArray(String[]::new))).isEqualTo(2);
        }
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--store FILE --origin ORIGIN");
        assertThat(run(GET, "--help")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("--store FILE --origin ORIGIN");
    }

    @Test
    void a_wrong_option_is_named() throws Exception {
        for (String[] wrong : new String[][] {
            {"unknown option: --sore", "get", "--sore", store()},
            {"--origin needs a value", "get", "--store", store(), "--origin"},
            {"get needs --origin", "get", "--store=" + store()},
            {"login needs --finish", "login", "--store", store(), "--options=http://localhost"},
            {"must be create, get, register or login", "make"}
        }) {
            err.reset();
            assertThat(run(GET, Arrays.copyOfRange(wrong, 1, wrong.length))).isEqualTo(2);
            assertThat(err.toString(StandardCharsets.UTF_8)).contains(wrong[0] + "\n");
        }
    }

    @Test
    void the_value_of_an_option_may_follow_an_equals_sign() throws Exception {
        assertThat(run(CREATE, "create", "--store=" + store(), "--origin=http://localhost"))
                .isZero();
        assertThat(Path.of(store())).exists();
    }

    @Test
    void a_user_of_any_relying_party_registers_and_signs_in() throws Exception {
        List<String> finished = new ArrayList<>();
        HttpServer party = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        party.createContext("/register/options", exchange -> respond(exchange, 200, "{\"publicKey\":" + CREATE + "}"));
        party.createContext("/login/options", exchange -> respond(exchange, 200, GET));
        party.createContext("/finish", exchange -> {
            finished.add(exchange.getRequestHeaders().getFirst("Cookie")
                    + ' '
                    + exchange.getRequestHeaders().getFirst("X-CSRF")
                    + ' '
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            respond(exchange, 201, "{\"ok\":true}");
        });
        party.createContext("/refuse", exchange -> respond(exchange, 403, "no"));
        party.start();
        try {
            String base = "http://localhost:" + party.getAddress().getPort();
            assertThat(play(base, "register", "/register/options", "/finish", "--send", "{\"name\":\"ada\"}"))
                    .isZero();
            assertThat(response().flag("ok")).isTrue();
            assertThat(play(base, "login", "/login/options", "/finish", "--wrap", "{\"credential\":$response}"))
                    .isZero();
            assertThat(play(base, "login", "/login/options", "/refuse")).isEqualTo(1);
            assertThat(err.toString(StandardCharsets.UTF_8)).contains("/refuse returned 403: no");

            assertThat(finished)
                    .hasSize(2)
                    .allSatisfy(request -> assertThat(request).startsWith("session=1 token {"));
            JsonObject login = JsonObject.parse(finished.get(1).substring("session=1 token ".length()))
                    .object("credential");
            assertThat(login.string("id")).isEqualTo(held().passkeys().get(0).id());
        } finally {
            party.stop(0);
        }
        String ended = "http://localhost:" + party.getAddress().getPort();
        assertThat(play(ended, "login", "/login/options", "/finish")).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("GET " + ended + "/login/options failed: ");
    }

    private int play(String base, String action, String options, String finish, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(
                action,
                "--store",
                store(),
                "--options",
                base + options,
                "--finish",
                base + finish,
                "--header",
                "X-CSRF: token"));
        arguments.addAll(List.of(more));
        return run("", arguments.toArray(String[]::new));
    }

    private static void respond(HttpExchange exchange, int status, String body) throws IOException {
        exchange.getResponseHeaders().set("Set-Cookie", "session=1; Path=/");
        byte[] octets = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, octets.length);
        exchange.getResponseBody().write(octets);
        exchange.close();
    }

    private int run(String options, String... arguments) throws Exception {
        out.reset();
        var in = new ByteArrayInputStream(options.getBytes(StandardCharsets.UTF_8));
        return TestKey.run(List.of(arguments), in, print(out), print(err));
    }

    private JsonObject response() {
        return JsonObject.parse(out.toString(StandardCharsets.UTF_8).strip());
    }

    private SoftAuthenticator held() throws Exception {
        return SoftAuthenticator.securityKey().restore(Files.readString(Path.of(store())));
    }

    private String store() {
        return directory.resolve("passkeys.json").toString();
    }

    private static PrintStream print(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }
}
