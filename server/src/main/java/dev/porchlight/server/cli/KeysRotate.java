// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.cli;

import dev.porchlight.server.config.Config;
import java.util.Map;
import picocli.CommandLine.Command;

/** Makes a new signing key. */
@Command(
        name = "rotate",
        mixinStandardHelpOptions = true,
        header = "Make a new key and sign with it from now on.",
        description = {
            "",
            "Running instances take it up within half a minute. The old key stays published until the",
            "last token it signed has expired, so that nobody is signed out."
        })
final class KeysRotate extends OnStore {
    KeysRotate(Map<String, String> environment) {
        super(environment);
    }

    @Override
    int run(Config config, OpenStore store) throws Exception {
        out().println(store.keyRing().rotate());
        store.audit("key_rotation", "");
        return 0;
    }
}
