// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A new file that appears under its name only when complete: it is written to a temporary file that only its owner can read,
 * synced, and then renamed. It never replaces an existing file. Not thread-safe.
 */
public final class NewFile implements AutoCloseable {
    private final Path name;
    private final Path aside;
    private final FileChannel channel;

    private NewFile(Path name, Path aside) throws IOException {
        this.name = name;
        this.aside = aside;
        this.channel = FileChannel.open(aside, StandardOpenOption.WRITE);
    }

    /** Creates the temporary file, which is deleted on close unless it is kept. */
    public static NewFile named(Path name) throws IOException {
        if (Files.exists(name)) {
            throw new FileAlreadyExistsException(name.toString());
        }
        Path directory = directoryOf(name);
        if (!Files.isDirectory(directory)) {
            throw new IOException(directory + " is not a directory");
        }
        return new NewFile(name, Files.createTempFile(directory, "." + name.getFileName(), ".part"));
    }

    public OutputStream out() {
        return Channels.newOutputStream(channel);
    }

    /** Syncs the file and gives it its name. */
    public void keep() throws IOException {
        channel.force(true);
        try {
            Files.createLink(name, aside);
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (UnsupportedOperationException | FileSystemException noLinks) { // depends on the file system
            Files.move(aside, name);
        }
        sync(directoryOf(name));
    }

    @Override
    public void close() throws IOException {
        channel.close();
        Files.deleteIfExists(aside);
    }

    public static Path directoryOf(Path file) {
        Path directory = file.toAbsolutePath().getParent();
        return directory == null ? file.toAbsolutePath() : directory;
    }

    /** Syncs a file's content or a directory's entries to disk. */
    public static void sync(Path path) throws IOException {
        boolean directory = Files.isDirectory(path);
        try (FileChannel channel =
                FileChannel.open(path, directory ? StandardOpenOption.READ : StandardOpenOption.WRITE)) {
            channel.force(true);
        } catch (IOException e) {
            if (!directory) { // some systems cannot open directories
                throw e;
            }
        }
    }
}
