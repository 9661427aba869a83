// SPDX-License-Identifier: Apache-2.0
package com.example.hello;

import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.testkit.SoftAuthenticator;

/** Users with a passkey in the database but without an account in the application. */
final class UnknownUsers {
    private UnknownUsers() {}

    static Visitor grace(Hello hello, SoftAuthenticator authenticator) {
        PasskeyService passkeys = hello.bean(PasskeyService.class);
        Visitor grace = hello.visitor(authenticator);
        String options = passkeys.startRegistration("grace").toJson();
        if (!passkeys.finishRegistration("grace", grace.browser().create(options))
                .registered()) {
            throw new IllegalStateException("no passkey was registered");
        }
        return grace;
    }
}
