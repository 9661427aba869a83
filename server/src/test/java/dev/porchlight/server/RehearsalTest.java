// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RehearsalTest {
    @TempDir
    Path data;

    @Test
    void a_rehearsal_exercises_the_first_requests_and_ends() throws Exception {
        assertThat(Rehearsal.perform(data, 2))
                .containsExactly(
                        "HTTP/1.1 200 OK",
                        "HTTP/1.1 200 OK",
                        "HTTP/1.1 200 OK",
                        "HTTP/1.1 200 OK",
                        "HTTP/1.1 401 Unauthorized",
                        "HTTP/1.1 201 Created",
                        "HTTP/1.1 200 OK",
                        "HTTP/1.1 200 OK");
    }
}
