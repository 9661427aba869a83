// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.wiring;

import dev.porchlight.base.MalformedException;
import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.passkey.metadata.AuthenticatorPolicy;
import dev.porchlight.passkey.metadata.Authenticators;
import dev.porchlight.passkey.metadata.MetadataBlob;
import dev.porchlight.passkey.metadata.MetadataSource;
import dev.porchlight.passkey.metadata.MetadataStore;
import dev.porchlight.passkey.metadata.MetadataTrust;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.storage.DataDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of authenticators, and the policy for them. The last good metadata is kept in the data directory. A failure is a
 * warning: what is known stays in use. Thread-safe.
 */
public final class MetadataModule {
    /** The file in the data directory. */
    public static final String FILE = "metadata.jwt";

    private static final Duration CHECK = Duration.ofHours(1);
    private static final Duration MAX_AGE = Duration.ofDays(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Authenticators authenticators;
    private final @Nullable MetadataStore store;
    private final boolean remote;
    private final Path directory;
    private final InstantSource clock;
    private final Consumer<String> warnings;
    private final LongAdder refreshed = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private volatile Instant refreshedAt = Instant.EPOCH;
    private volatile long warnedOf = -1;

    /** Reads nothing yet; {@code warnings} receives sentences. */
    public MetadataModule(Config config, InstantSource clock, Consumer<String> warnings) {
        this.clock = clock;
        this.warnings = warnings;
        directory = config.get(Settings.DATA_DIR);
        remote = config.get(Settings.METADATA_URL).isPresent();
        Optional<MetadataSource> source = config.get(Settings.METADATA_FILE)
                .map(MetadataSource::file)
                .or(() -> config.get(Settings.METADATA_URL).map(uri -> MetadataSource.url(uri, TIMEOUT)));
        store = source.map(from -> new MetadataStore(
                        from,
                        config.get(Settings.METADATA_ROOTS).orElseGet(MetadataTrust::fido),
                        Optional.of(directory.resolve(FILE)),
                        clock))
                .orElse(null);
        AuthenticatorPolicy policy = config.get(Settings.PASSKEY_POLICY_FILE).orElse(AuthenticatorPolicy.DEFAULT);
        authenticators = new Authenticators(policy, store == null ? Optional::empty : store);
    }

    /** Returns what a command needs, without a request to a URL. */
    public static Authenticators restored(Config config, Consumer<String> warnings) {
        var metadata = new MetadataModule(config, InstantSource.system(), warnings);
        metadata.restore();
        return metadata.authenticators;
    }

    public Authenticators authenticators() {
        return authenticators;
    }

    /** Uses the metadata of the last run, and that of a configured file. */
    public void restore() {
        if (store != null) {
            attempt("the metadata in " + directory.resolve(FILE) + " cannot be used", store::restore);
            if (!remote) {
                refresh();
            }
        }
    }

    /** Reads the file again, or requests the URL if the metadata is a day old or its successor is due. */
    public void refresh() {
        Instant now = clock.instant();
        if (store == null || remote && now.isBefore(refreshedAt.plus(MAX_AGE)) && !isDue(store.get(), now)) {
            return;
        }
        boolean done = attempt("the metadata of authenticators could not be refreshed", () -> {
            DataDirectory.create(directory);
            store.refresh();
        });
        (done ? refreshed : failed).increment();
        refreshedAt = done ? now : refreshedAt;
        Optional<MetadataBlob> blob = store.get().filter(current -> current.number() != warnedOf);
        if (blob.isPresent() && isDue(blob, now)) {
            warnedOf = blob.get().number();
            warnings.accept("the metadata of authenticators should have been replaced on "
                    + blob.get().nextUpdate() + "; it stays in use");
        }
    }

    private static boolean isDue(Optional<MetadataBlob> blob, Instant now) {
        return blob.isEmpty()
                || !now.atZone(ZoneOffset.UTC).toLocalDate().isBefore(blob.get().nextUpdate());
    }

    /** The task that refreshes the metadata; absent if none is configured. */
    public Optional<Part> refreshing() {
        Runnable first = remote ? this::refresh : () -> {}; // a file was read at the start
        return store == null
                ? Optional.empty()
                : Optional.of(new PeriodicTask("porchlight-metadata", CHECK, first, this::refresh));
    }

    /** Registers the metrics, also if no metadata is configured. */
    public void register(MetricRegistry metrics) {
        metrics.counter("metadata_refreshes_total")
                .help("Attempts to refresh the metadata of authenticators, by result: ok or failed.")
                .labels("result")
                .read(samples -> {
                    samples.sample((double) refreshed.sum(), "ok");
                    samples.sample((double) failed.sum(), "failed");
                });
        metrics.gauge("metadata_next_update_seconds")
                .help("When newer metadata of authenticators is due, in seconds since the epoch; 0 without metadata.")
                .read(() -> authenticators
                        .metadata()
                        .get()
                        .map(blob ->
                                blob.nextUpdate().atStartOfDay(ZoneOffset.UTC).toEpochSecond())
                        .orElse(0L));
    }

    @FunctionalInterface
    private interface Work {
        void run() throws IOException, MalformedException;
    }

    private boolean attempt(String failure, Work work) {
        try {
            work.run();
            return true;
        } catch (IOException | MalformedException e) {
            if (!Thread.currentThread().isInterrupted()) { // the service is stopping
                warnings.accept(failure + ": " + e.getMessage());
            }
            return false;
        }
    }
}
