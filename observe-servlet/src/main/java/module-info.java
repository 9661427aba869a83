// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** The telemetry of a servlet application's requests. */
@NullMarked
module dev.porchlight.observe.servlet {
    requires transitive dev.porchlight.observe;
    requires transitive jakarta.servlet;
    requires static org.jspecify;

    exports dev.porchlight.observe.servlet;
}
