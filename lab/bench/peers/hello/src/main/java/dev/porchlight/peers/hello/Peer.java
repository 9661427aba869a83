// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.peers.hello;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** An application with one route, and readiness for the benchmark. */
@SpringBootApplication
@RestController
public class Peer {
    public static void main(String[] args) {
        SpringApplication.run(Peer.class, args);
    }

    @GetMapping("/hello/{name}")
    String hello(@PathVariable("name") String name) {
        return "Hello, " + name + "!";
    }

    @GetMapping("/health/ready")
    String ready() {
        return "ready";
    }
}
