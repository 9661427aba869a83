// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.passkey;

import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** What this machine's cores could verify if they did nothing else. */
public final class Cores {
    /** How many there are. */
    public static final int COUNT = Runtime.getRuntime().availableProcessors();

    private Cores() {}

    /** Verifies on all cores for a time; returns how many assertions a second they verified together. */
    public static double verificationsPerSecond(Duration length) throws InterruptedException, ExecutionException {
        Material material = new Material(NativeProvider.get());
        ExecutorService threads = Executors.newFixedThreadPool(COUNT);
        try {
            List<Callable<Long>> work = new ArrayList<>();
            for (int i = 0; i < COUNT; i++) {
                Floor floor = new Floor(material, NativeProvider.get());
                work.add(() -> verifyFor(floor, length));
            }
            long verified = 0;
            for (Future<Long> part : threads.invokeAll(work)) {
                verified += part.get();
            }
            return verified * 1e9 / length.toNanos();
        } finally {
            threads.shutdownNow();
        }
    }

    private static long verifyFor(Floor floor, Duration length) throws GeneralSecurityException {
        long verified = 0;
        for (long end = System.nanoTime() + length.toNanos(); System.nanoTime() < end; verified++) {
            if (!floor.verify()) {
                throw new GeneralSecurityException("the signature is not good");
            }
        }
        return verified;
    }
}
