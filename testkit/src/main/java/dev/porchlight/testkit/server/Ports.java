// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** Allocates local ports. */
public final class Ports {
    /** Below the ephemeral range: an outgoing connection could otherwise occupy the port of a stopped server. */
    private static final int LOWEST = 10_000;

    private static final int ENOUGH = 5_000;
    private static final int DEFAULT_END = 32_768;
    /** Exclusive. */
    static final int END = end();

    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private Ports() {}

    /** A port without a listener that was not returned before. */
    public static int free() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, END);
            if (GIVEN.add(port) && isFree(port)) {
                return port;
            }
        }
    }

    /** The start of the kernel's ephemeral range, or Linux's default if it is unknown or leaves no room below. */
    private static int end() {
        try {
            String range = Files.readString(Path.of("/proc/sys/net/ipv4/ip_local_port_range"));
            int start = Integer.parseInt(range.strip().split("\\s+", 2)[0]);
            return start >= LOWEST + ENOUGH ? start : DEFAULT_END;
        } catch (IOException | NumberFormatException notLinux) {
            return DEFAULT_END;
        }
    }

    private static boolean isFree(int port) {
        try {
            new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
            return true;
        } catch (IOException inUse) {
            return false;
        }
    }
}
