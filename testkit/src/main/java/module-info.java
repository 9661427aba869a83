// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** A software authenticator, a software browser, mutated responses, users of a running service, and contract tests for stores. */
@NullMarked
module dev.porchlight.testkit {
    requires static transitive org.jspecify;
    requires static org.junit.jupiter.api;
    requires transitive java.net.http;
    requires transitive java.sql;

    exports dev.porchlight.testkit;
    exports dev.porchlight.testkit.contract;
    exports dev.porchlight.testkit.junit;
    exports dev.porchlight.testkit.remote;
    exports dev.porchlight.testkit.server;
    exports dev.porchlight.testkit.tamper;
    exports dev.porchlight.testkit.wire;
}
