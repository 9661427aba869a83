// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * Allocates local ports. Processes that run at the same time get different ones: each reserves blocks of ports by locking
 * files, until it ends.
 */
public final class Ports {
    /** Below the ephemeral range: an outgoing connection could otherwise occupy the port of a stopped server. */
    private static final int LOWEST = 10_000;

    private static final int ENOUGH = 5_000;
    private static final int DEFAULT_END = 32_768;
    /** Exclusive. */
    static final int END = end();

    static final int BLOCK = 50;
    private static final Map<Integer, FileLock> BLOCKS = new HashMap<>();
    private static final Queue<Integer> RESERVED = new ArrayDeque<>();

    private Ports() {}

    /** A port without a listener that was not returned before. */
    public static synchronized int free() {
        while (true) {
            if (RESERVED.isEmpty()) {
                reserve();
            }
            int port = RESERVED.remove();
            if (isFree(port)) {
                return port;
            }
        }
    }

    private static void reserve() {
        int blocks = (END - LOWEST) / BLOCK;
        int first = ThreadLocalRandom.current().nextInt(blocks);
        int reserved = IntStream.range(first, first + blocks)
                .map(block -> LOWEST + block % blocks * BLOCK)
                .filter(Ports::lock)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("all ports are reserved"));
        IntStream.range(reserved, reserved + BLOCK).forEach(RESERVED::add);
    }

    /** Reserves the ports from this one on, unless they are reserved already. */
    static boolean lock(int block) {
        if (BLOCKS.containsKey(block)) { // and opening its file again would unlock it
            return false;
        }
        try {
            // Not java.io.tmpdir: each module has another one.
            Path directory =
                    Files.createDirectories(Path.of("/tmp", "porchlight-ports-" + System.getProperty("user.name")));
            FileChannel file = FileChannel.open(
                    directory.resolve(Integer.toString(block)), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = file.tryLock();
            if (lock == null) {
                file.close();
                return false;
            }
            BLOCKS.put(block, lock);
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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
