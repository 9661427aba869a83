// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SoftKeyTest {
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
    void passkeys_and_counts_survive_between_runs() throws IOException {
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
    void refusals_match_those_of_a_browser() throws IOException {
        assertThat(run(GET, "get", "--store", store(), "--origin", "http://localhost"))
                .isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("NotAllowedError: ");
        assertThat(run("[]", "get", "--store", store(), "--origin", "http://localhost"))
                .isEqualTo(1);
        assertThat(out.size()).isZero();
        assertThat(Path.of(store())).doesNotExist();
    }

    @Test
    void wrong_arguments_print_the_usage() throws IOException {
        for (List<String> arguments :
                List.of(List.<String>of(), List.of("get"), List.of("make", "--store", "x", "--origin", "y"))) {
            assertThat(run(GET, arguments.toArray(String[]::new))).isEqualTo(2);
        }
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--store FILE --origin ORIGIN");
    }

    private int run(String options, String... arguments) throws IOException {
        out.reset();
        var in = new ByteArrayInputStream(options.getBytes(StandardCharsets.UTF_8));
        return SoftKey.run(List.of(arguments), in, print(out), print(err));
    }

    private JsonObject response() {
        return JsonObject.parse(out.toString(StandardCharsets.UTF_8).strip());
    }

    private SoftAuthenticator held() throws IOException {
        return SoftAuthenticator.securityKey().restore(Files.readString(Path.of(store())));
    }

    private String store() {
        return directory.resolve("passkeys.json").toString();
    }

    private static PrintStream print(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }
}
