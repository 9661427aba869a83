// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** Bytes, JSON and SQL utilities that the passkey library and the service share. */
@NullMarked
module dev.porchlight.base {
    requires static org.jspecify;
    requires com.fasterxml.jackson.core;
    requires transitive java.sql;

    exports dev.porchlight.base;
    exports dev.porchlight.base.sql;
}
