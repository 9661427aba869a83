// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RedisServerTest {
    private RedisServer server;

    @BeforeEach
    void start() throws IOException {
        try {
            server = RedisServer.startWithPassword("correct horse");
        } catch (MissingProgramException e) {
            if ("true".equals(System.getenv("CI"))) {
                Assertions.fail(e.getMessage());
            }
            System.err.println("Skipped: " + e.getMessage());
            Assumptions.abort(e.getMessage());
        }
    }

    @AfterEach
    void end() throws IOException {
        server.close();
    }

    @Test
    void data_is_kept_until_the_server_is_flushed() throws Exception {
        server.command("SET", "key", "value");
        assertThat(server.command("GET", "key")).isEqualTo("value");

        server.flush();

        assertThat(server.command("GET", "key")).isEmpty();
        assertThat(server.command("CONFIG", "GET", "save")).isEqualTo("save\n");
        assertThat(server.url()).isEqualTo("redis://:correct horse@127.0.0.1:" + server.port());
    }

    @Test
    void a_killed_server_restarts_empty_on_its_port() throws Exception {
        server.command("SET", "key", "value");
        int port = server.port();

        server.kill();
        assertThatThrownBy(() -> server.command("PING")).isInstanceOf(IOException.class);

        server.restart();
        assertThat(server.port()).isEqualTo(port);
        assertThat(server.command("GET", "key")).isEmpty();
    }

    @Test
    void a_paused_server_responds_after_it_is_resumed() throws Exception {
        server.pause();
        Future<String> response = CompletableFuture.supplyAsync(() -> {
            try {
                return server.command("PING");
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        Thread.sleep(200); // longer than a running server needs
        assertThat(response.isDone()).isFalse();

        server.resume();

        assertThat(response.get()).isEqualTo("PONG");
    }

    @Test
    void a_failed_start_reports_the_reason() {
        assertThatThrownBy(() -> RedisServer.start("--no-such-setting", "1"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no-such-setting");
    }
}
