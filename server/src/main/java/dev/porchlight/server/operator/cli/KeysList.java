// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.config.Config;
import dev.porchlight.server.wiring.StorageModule;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** Lists the signing keys. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        header = "List the published keys by name, the one that signs first.")
final class KeysList extends OnStore {
    KeysList(Map<String, String> environment) {
        super(environment);
    }

    @Override
    int run(Config config, StorageModule storage) {
        List<String> names = storage.keyRing().names();
        for (int i = 0; i < names.size(); i++) {
            out().println(names.get(i) + (i == 0 ? "  signs" : "  published until its tokens have expired"));
        }
        if (names.isEmpty()) {
            out().println("There is no key yet; the first is made when the service starts.");
        }
        return 0;
    }
}
