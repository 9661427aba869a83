// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** Structured logs, metrics, traces, health checks and route profiles, on the JDK alone. */
@NullMarked
module dev.porchlight.observe {
    requires java.management;
    requires java.net.http;
    requires static java.logging;
    requires static jdk.httpserver;
    requires static jdk.management;
    requires static org.jspecify;

    exports dev.porchlight.observe;
    exports dev.porchlight.observe.export;
    exports dev.porchlight.observe.health;
    exports dev.porchlight.observe.http;
    exports dev.porchlight.observe.log;
    exports dev.porchlight.observe.metrics;
    exports dev.porchlight.observe.page;
    exports dev.porchlight.observe.profile;
    exports dev.porchlight.observe.trace;
}
