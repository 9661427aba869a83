// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.Services.Restartable;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.RegistrationLoad;
import dev.porchlight.rig.load.Users;
import dev.porchlight.rig.load.Users.RefusedException;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.server.MissingProgramException;
import dev.porchlight.testkit.server.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** R2: fsync fails. */
public final class SyncFails {

    private final List<Person> acknowledged = new ArrayList<>();
    private int registrations;
    private int unclean;
    private double failed;

    public void run(TestBed bed) throws Exception {
        Restartable killed = bed.services().killed();
        Instance service = killed.running();
        try (Connection connection = service.connect()) {
            Person ada = Users.register(connection, service.address(), "sync-ada");
            acknowledged.add(ada);
            int registered;
            int loggedIn;
            try (SyscallFault all = SyscallFault.inject(service, "fsync,fdatasync:error=EIO", bed.directory())) {
                registered = register(service, connection, 10);
                loggedIn = login(connection, ada, 10);
                bed.note("all syncs fail: %d failed", all.injected());
            }
            bed.expect(registered + loggedIn == 0, "%d registered, %d logged in", registered, loggedIn);
            bed.expect(register(service, connection, 1) == 1, "works again immediately");
            for (int k = 1; k <= bed.rounds(8, 2); k++) {
                single(service, connection, k, bed);
            }
        }
        bed.expect(failed > 0, "%.0f requests and audit rows failed with their sync", failed);
        bed.expect(unclean == 0, "%d refusals other than 503", unclean);
        service.kill();
        Instance again = killed.running();
        try (Connection connection = again.connect()) {
            int missing = RegistrationLoad.missing(connection, acknowledged);
            bed.expect(
                    missing == 0, "after kill -9 %d of %d acknowledged passkeys missing", missing, acknowledged.size());
        }
    }

    private void single(Instance service, Connection connection, int k, TestBed bed)
            throws IOException, InterruptedException, MissingProgramException {
        int tries = 20;
        int registered;
        int injected;
        double lostBefore = service.metric("audit_rows_total{result=\"lost\"}");
        try (SyscallFault one = SyscallFault.inject(service, "fsync,fdatasync:error=EIO:when=" + k, bed.directory())) {
            registered = register(service, connection, tries);
            injected = one.injected();
        }
        double lost = service.metric("audit_rows_total{result=\"lost\"}") - lostBefore;
        int refused = tries - registered;
        failed += refused + lost;
        boolean well = register(service, connection, 1) == 1;
        bed.expect(
                refused <= injected && well,
                "k = %d: %d failed syncs, %d of %d refused, %.0f audit rows counted as lost, %s afterwards",
                k,
                injected,
                refused,
                tries,
                lost,
                well ? "works" : "broken");
    }

    private int register(Instance service, Connection connection, int times) throws IOException {
        int registered = 0;
        for (int i = 0; i < times; i++) {
            try {
                acknowledged.add(Users.register(connection, service.address(), "sync-" + ++registrations));
                registered++;
            } catch (RefusedException e) {
                unclean += e.response().status() == 503 ? 0 : 1;
            }
        }
        return registered;
    }

    private int login(Connection connection, Person person, int times) throws IOException {
        int loggedIn = 0;
        for (int i = 0; i < times; i++) {
            int status = person.at(connection).tryLogin().status();
            loggedIn += status == 200 ? 1 : 0;
            unclean += status == 200 || status == 503 ? 0 : 1;
        }
        return loggedIn;
    }

    /** Injects system call failures into a running instance until closed. */
    private static final class SyscallFault implements AutoCloseable {
        private final Process strace;
        private final Path trace;

        private SyscallFault(Process strace, Path trace) {
            this.strace = strace;
            this.trace = trace;
        }

        /**
         * Starts the injection.
         *
         * @param fault in the syntax of strace's {@code inject}
         */
        static SyscallFault inject(Instance service, String fault, Path directory)
                throws IOException, InterruptedException, MissingProgramException {
            String program = Program.require("strace");
            String calls = fault.substring(0, fault.indexOf(':'));
            Path trace = Files.createTempFile(directory, "strace", ".txt");
            Path said = Files.createTempFile(directory, "strace", ".err");
            String pid = Long.toString(service.process().pid());
            Process strace = new ProcessBuilder(
                            program,
                            "-f",
                            "-e",
                            "trace=" + calls,
                            "-e",
                            "inject=" + fault,
                            "-o",
                            trace.toString(),
                            "-p",
                            pid)
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .start();
            while (!Files.readString(said).contains("attached") || !attached(pid)) {
                if (!strace.isAlive()) {
                    throw new MissingProgramException(
                            "strace may not attach: " + Files.readString(said).strip());
                }
                Thread.sleep(20);
            }
            return new SyscallFault(strace, trace);
        }

        /** Whether strace has attached to every thread. */
        private static boolean attached(String pid) throws IOException {
            try (Stream<Path> threads = Files.list(Path.of("/proc", pid, "task"))) {
                for (Path thread : threads.toList()) {
                    if (Files.readString(thread.resolve("status")).contains("TracerPid:\t0\n")) {
                        return false;
                    }
                }
                return true;
            } catch (NoSuchFileException ended) {
                return false;
            }
        }

        /** The number of failed calls so far. */
        int injected() throws IOException {
            return (int) Files.readAllLines(trace).stream()
                    .filter(line -> line.endsWith("(INJECTED)"))
                    .count();
        }

        /** Detaches from the process. */
        @Override
        public void close() {
            Program.end(strace, Duration.ofSeconds(10));
        }
    }
}
