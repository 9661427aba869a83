// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import dev.porchlight.server.auth.SessionSecret;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.storage.DataDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Checks that the data directory is writable and private, and that its clock is right. */
final class DirectoryCheck {
    static final Duration SKEW = Duration.ofMinutes(1);

    private final Path directory;
    private final InstantSource clock;

    DirectoryCheck(Config config, InstantSource clock) {
        this.directory = config.get(Settings.DATA_DIR).toAbsolutePath().normalize();
        this.clock = clock;
    }

    List<Diagnosis> run() {
        List<Diagnosis> results = new ArrayList<>();
        try {
            Path probe = Files.createTempFile(DataDirectory.nearestExisting(directory), "porchlight-doctor", ".tmp");
            try {
                results.add(Diagnosis.ok("DATA_DIR " + directory + " is writable"));
                results.add(clock(
                        "the file system of DATA_DIR",
                        Files.getLastModifiedTime(probe).toInstant(),
                        clock.instant()));
            } finally {
                Files.delete(probe);
            }
        } catch (IOException e) {
            results.add(Diagnosis.problem(
                    "DATA_DIR " + directory + " is not writable",
                    "mkdir -p " + directory + " && chown $(id -u) " + directory));
        }
        checkPrivacy(results);
        return results;
    }

    private void checkPrivacy(List<Diagnosis> results) {
        if (!directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return;
        }
        checkOwnerAlone(directory, "700", results);
        checkOwnerAlone(directory.resolve(SessionSecret.FILE), "600", results);
    }

    private static void checkOwnerAlone(Path file, String mode, List<Diagnosis> results) {
        try {
            String permissions = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
            if (!permissions.endsWith("------")) {
                results.add(Diagnosis.problem(
                        file + " is accessible to other users (" + permissions + "), and it protects sessions, keys and"
                                + " passkeys",
                        "chmod " + mode + " " + file));
            }
        } catch (IOException notThere) {
            // the service creates it with the right mode
        }
    }

    /** Compares two clocks. */
    static Diagnosis clock(String whose, Instant theirs, Instant ours) {
        Duration apart = Duration.between(theirs, ours).abs();
        return apart.compareTo(SKEW) <= 0
                ? Diagnosis.ok("the clock agrees with " + whose)
                : Diagnosis.problem(
                        "the clock differs from " + whose + " by " + apart.toSeconds()
                                + " s: tokens and challenges would expire at the wrong time",
                        "timedatectl set-ntp true");
    }
}
