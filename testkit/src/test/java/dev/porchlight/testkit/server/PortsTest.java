// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PortsTest {
    @Test
    void free_ports_are_distinct_and_outside_the_ephemeral_range() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket outgoing = new Socket(listener.getInetAddress(), listener.getLocalPort())) {
            boolean room = outgoing.getLocalPort() >= Ports.END;
            if (!room) {
                System.err.println("Skipped: this kernel leaves no room below the ephemeral range");
            }
            assumeTrue(room, "this kernel leaves no room below the ephemeral range");
            assertThat(Stream.generate(Ports::free).limit(100).toList())
                    .doesNotHaveDuplicates()
                    .allMatch(port -> port < Ports.END && port < outgoing.getLocalPort());
        }
    }
}
