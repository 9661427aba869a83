// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.console;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.server.config.Setting;
import java.util.List;

/**
 * Why a ceremony did not go well, for an operator.
 *
 * @param code a {@link dev.porchlight.passkey.verify.Step}'s code, or the browser's
 * @param what what happened, in a sentence
 * @param advice what to do, or that nothing need be done
 * @param settings the variables that have a say in it
 */
public record Cause(String code, String what, String advice, List<Setting<?>> settings) {
    public Cause {
        settings = List.copyOf(settings);
    }

    public void write(JsonWriter json) {
        json.text("code", code)
                .text("what", what)
                .text("advice", advice)
                .texts("settings", settings.stream().map(Setting::name).toList());
    }
}
