// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Context switches of the whole machine, as Linux counts them. */
final class ContextSwitches {
    private static final String NAME = "ctxt ";

    private ContextSwitches() {}

    /** Those since the machine was started. */
    static long soFar() throws IOException {
        return Files.readAllLines(Path.of("/proc/stat")).stream()
                .filter(line -> line.startsWith(NAME))
                .mapToLong(line -> Long.parseLong(line.substring(NAME.length())))
                .findFirst()
                .orElseThrow(() -> new IOException("/proc/stat has no context switches"));
    }
}
