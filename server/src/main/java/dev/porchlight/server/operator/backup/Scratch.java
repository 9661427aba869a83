// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.backup;

import dev.porchlight.server.storage.NewFile;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A directory on the same disk as a file, for its owner alone, that goes with all that is in it. */
final class Scratch implements AutoCloseable {
    private final Path directory;

    private Scratch(Path directory) {
        this.directory = directory;
    }

    static Scratch beside(Path file) throws IOException {
        return new Scratch(Files.createTempDirectory(NewFile.directoryOf(file), ".porchlight-"));
    }

    Path file(String name) {
        return directory.resolve(name);
    }

    @Override
    public void close() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
