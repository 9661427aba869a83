// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.passkey.Extension.Form;
import java.util.List;
import java.util.Optional;

/** The minimum length of the authenticator's PIN (CTAP 2.1, section 12.4). */
final class MinPinLength {
    private static final String NAME = "minPinLength";
    private static final long MOST = 63;
    static final Extension REQUESTED = new Extension(NAME, "", options -> options.bool(NAME, true));
    static final List<Form> FORMS = List.of(new Form(NAME, (builder, none) -> builder.minPinLength()));

    private MinPinLength() {}

    static Optional<Long> length(ExtensionOutputs outputs) {
        return outputs.signedNumber(NAME, MOST);
    }
}
