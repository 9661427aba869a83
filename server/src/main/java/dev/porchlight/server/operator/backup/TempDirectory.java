// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.backup;

import dev.porchlight.server.storage.NewFile;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A private temporary directory beside a file, deleted with its content on close. */
final class TempDirectory implements AutoCloseable {
    private final Path directory;

    private TempDirectory(Path directory) {
        this.directory = directory;
    }

    static TempDirectory beside(Path file) throws IOException {
        return new TempDirectory(Files.createTempDirectory(NewFile.directoryOf(file), ".porchlight-"));
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
