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
 * A file that has its name only once it is whole: written aside, readable by its owner alone, and on the disk before it is
 * named. It never takes the place of another. For one thread.
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

    /** Begins a file; what was written is gone unless it is kept. */
    public static NewFile named(Path name) throws IOException {
        if (Files.exists(name)) {
            throw new FileAlreadyExistsException(name + " is there already, and is not overwritten");
        }
        Path directory = directoryOf(name);
        if (!Files.isDirectory(directory)) {
            throw new IOException(directory + " is not a directory");
        }
        return new NewFile(name, Files.createTempFile(directory, "." + name.getFileName(), ".part"));
    }

    /** Where its content goes. */
    public OutputStream out() {
        return Channels.newOutputStream(channel);
    }

    /** Gives the file its name. */
    public void keep() throws IOException {
        channel.force(true);
        try {
            Files.createLink(name, aside);
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (UnsupportedOperationException | FileSystemException noLinks) { // which of them, the system decides
            Files.move(aside, name);
        }
        sync(directoryOf(name));
    }

    @Override
    public void close() throws IOException {
        channel.close();
        Files.deleteIfExists(aside);
    }

    /** The directory that a file is in, or would be. */
    public static Path directoryOf(Path file) {
        Path directory = file.toAbsolutePath().getParent();
        return directory == null ? file.toAbsolutePath() : directory;
    }

    /** Brings a file's content, or a directory's names, to the disk. */
    public static void sync(Path path) throws IOException {
        boolean directory = Files.isDirectory(path);
        try (FileChannel channel =
                FileChannel.open(path, directory ? StandardOpenOption.READ : StandardOpenOption.WRITE)) {
            channel.force(true);
        } catch (IOException e) {
            if (!directory) { // which not every system can open
                throw e;
            }
        }
    }
}
