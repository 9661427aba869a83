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

/** Whether the data directory takes files that only their owner reads, and has the same time as we. */
final class DirectoryCheck {
    static final Duration SKEW = Duration.ofMinutes(1);

    private final Path directory;
    private final InstantSource clock;

    DirectoryCheck(Config config, InstantSource clock) {
        this.directory = config.get(Settings.DATA_DIR).toAbsolutePath().normalize();
        this.clock = clock;
    }

    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        try {
            Path probe = Files.createTempFile(DataDirectory.nearestExisting(directory), "porchlight-doctor", ".tmp");
            try {
                findings.add(Finding.fine("DATA_DIR " + directory + " takes files"));
                findings.add(clock(
                        "the file system of DATA_DIR",
                        Files.getLastModifiedTime(probe).toInstant(),
                        clock.instant()));
            } finally {
                Files.delete(probe);
            }
        } catch (IOException e) {
            findings.add(Finding.wrong(
                    "DATA_DIR " + directory + " takes no files",
                    "mkdir -p " + directory + " && chown $(id -u) " + directory));
        }
        checkPrivacy(findings);
        return findings;
    }

    private void checkPrivacy(List<Finding> findings) {
        if (!directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return;
        }
        checkOwnerAlone(directory, "700", findings);
        checkOwnerAlone(directory.resolve(SessionSecret.FILE), "600", findings);
    }

    private static void checkOwnerAlone(Path file, String mode, List<Finding> findings) {
        try {
            String permissions = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
            if (!permissions.endsWith("------")) {
                findings.add(Finding.wrong(
                        file + " is open to others than its owner (" + permissions + "): it is what sessions, keys and"
                                + " passkeys rest on",
                        "chmod " + mode + " " + file));
            }
        } catch (IOException notThere) {
            // then it is made, and made right, at the start
        }
    }

    /** Compares two clocks that should show the same. */
    static Finding clock(String whose, Instant theirs, Instant ours) {
        Duration apart = Duration.between(theirs, ours).abs();
        return apart.compareTo(SKEW) <= 0
                ? Finding.fine("the clock agrees with " + whose)
                : Finding.wrong(
                        "the clock is " + apart.toSeconds() + " s apart from " + whose
                                + ": tokens and challenges would expire at the wrong time",
                        "timedatectl set-ntp true");
    }
}
