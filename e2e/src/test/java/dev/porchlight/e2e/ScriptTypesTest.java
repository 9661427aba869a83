// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Checks the scripts of the pages and the elements with TypeScript, against the API description, and with ESLint. */
@Tag("slow")
class ScriptTypesTest {
    @Test
    void scripts_match_their_types_and_the_api() throws Exception {
        Npm.install("client/types").run("types");
    }

    @Test
    void scripts_pass_the_linter() throws Exception {
        Npm.install("client/types").run("lint");
    }
}
