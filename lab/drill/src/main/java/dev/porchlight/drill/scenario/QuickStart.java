// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * JVM options for services that live for seconds: only the quick compiler, and a crypto provider whose native library is
 * unpacked once for all of them. Unpacking it from its signed jar takes a sixth of the CPU time of a start.
 */
final class QuickStart {
    private static final String COMPILER = "-XX:TieredStopAtLevel=1";
    private static final String PROVIDER = "com.amazon.corretto.crypto.provider";

    private QuickStart() {}

    /** Unpacks the library into a directory, and returns the options. */
    static List<String> options(Path directory) throws IOException {
        String library = System.mapLibraryName("amazonCorrettoCryptoProvider");
        try (InputStream packed =
                QuickStart.class.getClassLoader().getResourceAsStream(PROVIDER.replace('.', '/') + '/' + library)) {
            if (packed == null) {
                return List.of(COMPILER); // the provider is not available for this platform
            }
            Files.copy(packed, directory.resolve(library));
        }
        return List.of(COMPILER, "-D" + PROVIDER + ".useExternalLib=true", "-Djava.library.path=" + directory);
    }
}
