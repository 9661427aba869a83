// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.peers.spring;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Spring Boot with Spring Security's passkeys. */
@SpringBootApplication
public class Peer {
    public static void main(String[] args) {
        SpringApplication.run(Peer.class, args);
    }
}
