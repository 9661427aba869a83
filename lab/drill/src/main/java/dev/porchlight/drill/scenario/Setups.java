// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

import java.util.HashMap;
import java.util.Map;

/** The setups of a test bed, each started when first needed. Thread-safe. */
final class Setups {
    private final TestBed bed;
    private final Map<Class<?>, Object> started = new HashMap<>();

    /** Setups that stop with the test bed. */
    Setups(TestBed bed) {
        this.bed = bed;
    }

    synchronized <T> T get(Class<T> type, TestBed.Setup<T> setup) throws Exception {
        if (!started.containsKey(type)) {
            started.put(type, setup.start(bed));
        }
        return type.cast(started.get(type));
    }
}
