// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.pressure;

import dev.porchlight.drill.scenario.Services.Restartable;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** R33: a thread of the service exhausts the heap and swallows the error. */
public final class OutOfMemory {
    private static final Path OPS =
            Path.of(System.getProperty("porchlight.root", "")).toAbsolutePath().resolve("ops");

    public void run(TestBed bed) throws Exception {
        Restartable small = bed.services().smallHeap();
        Instance service = small.running();
        long begin = System.nanoTime();
        try {
            MemoryHog.attach(service.process().pid(), bed.directory());
        } catch (IOException ended) {
            // the process ended before the attach call returned
        }
        boolean gone = service.process().waitFor(bed.limit(20_000), TimeUnit.MILLISECONDS);
        long millis = (System.nanoTime() - begin) / 1_000_000;
        int status = gone ? service.process().exitValue() : 0;
        bed.expect(gone && status != 0, "exit status %d", status);
        bed.expect(gone && millis < bed.limit(5_000), "after %,d ms", millis);
        bed.expect(systemdRestarts(status) && kubernetesRestarts(), "systemd and Kubernetes restart it");
        if (gone) {
            bed.expect(bed.isReady(small.running()), "ready after the next start");
        }
    }

    private static boolean systemdRestarts(int status) throws IOException {
        String unit = Files.readString(OPS.resolve("systemd/porchlight.service"));
        return unit.contains("\nRestart=on-failure\n")
                && !unit.matches("(?s).*\nRestartPreventExitStatus=[^\n]*\\b" + status + "\\b.*");
    }

    /** Pods of a Deployment are always restarted unless the manifest sets another policy. */
    private static boolean kubernetesRestarts() throws IOException {
        return !Files.readString(OPS.resolve("kubernetes/deployment.yaml")).contains("restartPolicy");
    }
}
