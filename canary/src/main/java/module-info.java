// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** Tests a running service with sign-ins that must succeed and responses that must be refused. */
@NullMarked
module dev.porchlight.canary {
    requires dev.porchlight.base;
    requires dev.porchlight.observe;
    requires dev.porchlight.testkit;
    requires jdk.httpserver;
    requires static org.jspecify;
}
