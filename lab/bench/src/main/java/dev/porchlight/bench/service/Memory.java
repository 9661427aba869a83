// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What Linux tells of a process's memory. */
final class Memory {
    private Memory() {}

    /** VmRSS, in units of 1,000,000 bytes. */
    static double residentMegabytes(ProcessHandle process) {
        try {
            return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
                            .filter(line -> line.startsWith("VmRSS:"))
                            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                            .sum()
                    * 1024
                    / 1e6;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
