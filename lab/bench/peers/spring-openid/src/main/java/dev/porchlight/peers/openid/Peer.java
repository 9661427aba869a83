// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.peers.openid;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Spring Authorization Server as Spring Boot configures it. */
@SpringBootApplication
public class Peer {
    public static void main(String[] args) {
        SpringApplication.run(Peer.class, args);
    }
}
