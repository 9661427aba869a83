// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.rig.Instance;
import dev.porchlight.support.JavaHome;
import dev.porchlight.testkit.server.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Spring Boot with Spring Security's passkeys.
 *
 * @param home the build directory
 * @param javaHome the JDK
 * @param options the JVM options
 * @param trained whether to start it unpacked and with a class archive, as its documentation recommends for fast starts
 */
record SpringPeer(String label, Path home, Path javaHome, List<String> options, boolean trained)
        implements Application {
    static final String NAME = "Spring Boot, Spring Security passkeys";

    /** The basic form of its documentation: {@code java -jar}. */
    SpringPeer(Path home, Path javaHome) {
        this(NAME, home, javaHome, List.of(), false);
    }

    @Override
    public Running launch(Path directory, Storage.Address storage) throws IOException, InterruptedException {
        int port = Ports.free();
        boolean first = Files.notExists(directory.resolve("service.log"));
        List<String> command =
                new ArrayList<>(List.of(javaHome.resolve("bin/java").toString()));
        command.addAll(options);
        if (trained) {
            command.add((aot() ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=") + train(directory));
        }
        command.addAll(List.of("-jar", jar().toString()));
        command.addAll(arguments(storage, port));
        command.add("--spring.sql.init.mode=" + (first ? "always" : "never"));
        Instance instance = CommandPeer.start(new ProcessBuilder(command), directory, port);
        return new Running(label, instance, new SpringRoutes(instance.address()));
    }

    /** The documented training run, once per directory. It ends when the application context is complete. */
    private Path train(Path directory) throws IOException, InterruptedException {
        Path archive = directory.resolve(aot() ? "application.aot" : "application.jsa");
        if (Files.notExists(archive)) {
            List<String> command = new ArrayList<>(List.of(
                    javaHome.resolve("bin/java").toString(),
                    (aot() ? "-XX:AOTCacheOutput=" : "-XX:ArchiveClassesAtExit=") + archive,
                    "-Dspring.context.exit=onRefresh"));
            command.addAll(List.of("-jar", jar().toString()));
            Path scratch = Files.createDirectories(directory.resolve("training"));
            command.addAll(arguments(Storage.sqlite().fresh(scratch), Ports.free()));
            Peers.run(home, Map.of(), command.toArray(String[]::new));
        }
        return archive;
    }

    private static List<String> arguments(Storage.Address storage, int port) {
        return List.of(
                "--server.port=" + port,
                "--spring.profiles.active=" + (storage.postgres() ? "postgres" : "sqlite"),
                "--spring.datasource.url=" + storage.jdbc());
    }

    private Path jar() {
        return home.resolve(trained ? "target/unpacked/spring-peer.jar" : "target/spring-peer.jar");
    }

    private boolean aot() throws IOException {
        return JavaHome.feature(javaHome) >= 25;
    }
}
