// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
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

    /** Two processes that both find a port free would otherwise start a server on it. */
    @Test
    void ports_of_another_process_are_reserved() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                PortsTest.class.getName());
        Process other = builder.redirectError(Redirect.INHERIT).start();
        try (BufferedReader output = other.inputReader()) {
            int port = Integer.parseInt(output.readLine());
            assertThat(Ports.lock(port - port % Ports.BLOCK)).isFalse();
        } finally {
            other.destroyForcibly();
        }
    }

    /** Prints a port, and keeps it until the process is ended. */
    public static void main(String[] arguments) throws InterruptedException {
        System.out.println(Ports.free());
        Thread.currentThread().join();
    }
}
