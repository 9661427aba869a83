// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.cli;

import dev.porchlight.server.config.Config;
import java.util.Map;

/** A command that works on the service's database, whether the service runs or not. */
abstract class OnStore extends Output {
    private final Map<String, String> environment;

    OnStore(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public final Integer call() throws Exception {
        Config config = Config.read(environment);
        try (OpenStore store = OpenStore.open(config)) {
            return run(config, store);
        }
    }

    /** Does the work and returns the status to exit with. */
    abstract int run(Config config, OpenStore store) throws Exception;
}
