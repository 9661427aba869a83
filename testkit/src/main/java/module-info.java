// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** A software authenticator, a software browser, named lies, and contracts for stores. */
@NullMarked
module dev.porchlight.testkit {
    requires static org.jspecify;
}
