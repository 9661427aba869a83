// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** Signs in to a running service again and again, with responses that must be accepted and that must be refused. */
@NullMarked
module dev.porchlight.canary {
    requires dev.porchlight.base;
    requires dev.porchlight.observe;
    requires dev.porchlight.testkit;
    requires java.net.http;
    requires jdk.httpserver;
    requires static org.jspecify;
}
