// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.peers.openid;

import java.util.Map;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Readiness, for the benchmark. */
@RestController
class ReadinessController {
    private final JdbcOperations jdbc;

    ReadinessController(JdbcOperations jdbc) {
        this.jdbc = jdbc;
    }

    @GetMapping("/health/ready")
    Map<String, String> ready() {
        jdbc.queryForObject("SELECT 1", Integer.class);
        return Map.of("status", "up");
    }
}
