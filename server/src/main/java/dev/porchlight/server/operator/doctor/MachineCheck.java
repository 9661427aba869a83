// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import dev.porchlight.server.auth.SessionSecret;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.storage.DataDirectory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;

/** Checks the data directory and the ports of this machine. */
final class MachineCheck {
    private MachineCheck() {}

    /** Checks that the data directory is writable and private, and that its clock is right. */
    static void checkDirectory(Examination examination) {
        Path directory =
                examination.config().get(Settings.DATA_DIR).toAbsolutePath().normalize();
        try {
            Path probe = Files.createTempFile(DataDirectory.nearestExisting(directory), "porchlight-doctor", ".tmp");
            try {
                examination.ok("DATA_DIR " + directory + " is writable");
                examination.expectClock(
                        "the file system of DATA_DIR",
                        Files.getLastModifiedTime(probe).toInstant());
            } finally {
                Files.delete(probe);
            }
        } catch (IOException e) {
            examination.problem(
                    "DATA_DIR " + directory + " is not writable",
                    "mkdir -p " + directory + " && chown $(id -u) " + directory);
        }
        if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            checkOwnerAlone(examination, directory, "700");
            checkOwnerAlone(examination, directory.resolve(SessionSecret.FILE), "600");
        }
    }

    private static void checkOwnerAlone(Examination examination, Path file, String mode) {
        try {
            String permissions = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
            if (!permissions.endsWith("------")) {
                examination.problem(
                        file + " is accessible to other users (" + permissions + "), and it protects sessions, keys and"
                                + " passkeys",
                        "chmod " + mode + " " + file);
            }
        } catch (IOException notThere) {
            // the service creates it with the right mode
        }
    }

    /** Checks that the ports are free, or that the service listens on them. */
    static void checkPorts(Examination examination) {
        Config config = examination.config();
        try {
            InetAddress host = InetAddress.getByName(config.get(Settings.HOST));
            checkPort(examination, host, "PORT", config.get(Settings.PORT));
            config.get(Settings.MANAGEMENT_PORT)
                    .ifPresent(port -> checkPort(examination, host, "MANAGEMENT_PORT", port));
        } catch (UnknownHostException e) {
            examination.problem("HOST " + config.get(Settings.HOST) + " cannot be resolved", "export HOST=0.0.0.0");
        }
    }

    private static void checkPort(Examination examination, InetAddress host, String variable, int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(host, port));
            examination.ok(variable + ' ' + port + " is free");
        } catch (IOException e) {
            Config config = examination.config();
            String name = host.isAnyLocalAddress() ? "localhost" : config.get(Settings.HOST);
            examination.expect(
                    isThisService(
                            new HttpProbe(examination.timeout()),
                            (config.tls().isPresent() ? "https://" : "http://") + name + ':' + port),
                    "the service is running on " + variable + ' ' + port,
                    variable + ' ' + port + " on " + config.get(Settings.HOST) + " is in use: " + e.getMessage(),
                    "export " + variable + '=' + freePort() + "   # this one is free");
        }
    }

    private static boolean isThisService(HttpProbe probe, String address) {
        return Stream.of("/openapi.json", "/health/live").anyMatch(path -> {
            try {
                var response = probe.get(URI.create(address + path));
                return response.statusCode() == 200
                        && response.headers().firstValue("X-Correlation-ID").isPresent();
            } catch (IOException anotherService) {
                return false;
            }
        });
    }

    private static int freePort() {
        try (ServerSocket any = new ServerSocket(0)) {
            return any.getLocalPort();
        } catch (IOException e) {
            return 0;
        }
    }
}
