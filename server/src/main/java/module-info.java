// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** The service: HTTP, configuration, wiring. */
@NullMarked
module dev.porchlight.server {
    requires static org.jspecify;
    requires com.nimbusds.jose.jwt;
    requires com.zaxxer.hikari;
    requires dev.porchlight.observe;
    requires dev.porchlight.passkey;
    requires java.sql;
}
