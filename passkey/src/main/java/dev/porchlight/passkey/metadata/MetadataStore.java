// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.metadata;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The newest BLOB of a source. The last good one stays in use while there is no newer one, however old it is, and also after a
 * restart if there is a file for it. A BLOB with a smaller number is refused. The application calls {@link #refresh}
 * periodically. Thread-safe.
 */
public final class MetadataStore implements Supplier<Optional<MetadataBlob>> {
    private final MetadataSource source;
    private final MetadataTrust trust;
    private final @Nullable Path cache;
    private final InstantSource clock;
    private volatile @Nullable MetadataBlob current;
    private @Nullable Bytes stored;

    /**
     * Creates a store.
     *
     * @param cache keeps the last good BLOB; created in an existing directory
     */
    public MetadataStore(MetadataSource source, MetadataTrust trust, Optional<Path> cache, InstantSource clock) {
        this.source = source;
        this.trust = trust;
        this.cache = cache.orElse(null);
        this.clock = clock;
    }

    /** The BLOB in use. Empty if none was read yet. */
    @Override
    public Optional<MetadataBlob> get() {
        return Optional.ofNullable(current);
    }

    /**
     * Uses the BLOB that an earlier run kept, if there is one.
     *
     * @throws MalformedException if the file is damaged, or its signer is no longer trusted
     */
    public synchronized void restore() throws IOException, MalformedException {
        if (cache != null && Files.exists(cache)) {
            String text = MetadataSource.file(cache).read();
            current = MetadataBlob.parse(text, trust, clock.instant());
            stored = hash(text);
        }
    }

    /**
     * Reads the source, and uses its BLOB if it is valid and not older than the one in use. Returns whether it is another one.
     *
     * @throws IOException if it cannot be read; or if it is in use, but could not be kept for the next start
     * @throws MalformedException if it is refused
     */
    public synchronized boolean refresh() throws IOException, MalformedException {
        String text = source.read();
        Bytes hash = hash(text);
        if (Objects.equals(hash, stored)) {
            return false;
        }
        Instant now = clock.instant();
        MetadataBlob blob = MetadataBlob.parse(text, trust, now);
        if (source.isLive() && now.isAfter(blob.signerExpiry())) {
            throw new MalformedException("x5c", "the signer's certificate has expired");
        }
        MetadataBlob before = current;
        if (before != null && blob.number() < before.number()) {
            throw new MalformedException(
                    "no", blob.number() + " is older than " + before.number() + ", which is in use");
        }
        current = blob;
        if (cache != null) {
            keep(text, cache);
        }
        stored = hash;
        return true;
    }

    /** Replaces the file as a whole, so that a crash leaves the old one or the new one. */
    private static void keep(String text, Path cache) throws IOException {
        Path file = cache.toAbsolutePath();
        Path aside = Files.createTempFile(file.resolveSibling("."), ".metadata", ".part");
        try {
            try (FileChannel channel = FileChannel.open(aside, StandardOpenOption.WRITE)) {
                ByteBuffer content = ByteBuffer.wrap(text.getBytes(ISO_8859_1));
                while (content.hasRemaining()) {
                    channel.write(content);
                }
                channel.force(true);
            }
            Files.move(aside, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(aside);
        }
    }

    private static Bytes hash(String text) {
        return Bytes.copyOf(text.getBytes(ISO_8859_1)).sha256();
    }
}
