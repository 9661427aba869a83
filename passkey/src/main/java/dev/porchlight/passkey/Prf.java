// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.base.Bytes;
import dev.porchlight.passkey.Extension.Form;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keys for the page, derived by the passkey (section 10.1.4). A response that has them is refused when it is parsed. */
final class Prf {
    private static final String NAME = "prf";
    static final List<Form> FORMS = List.of(new Form(NAME, (builder, none) -> builder.prf()));

    private Prf() {}

    static Extension supported() {
        return new Extension(NAME, options -> options.object(NAME, prf -> {}));
    }

    static Extension evaluated(byte[] first, byte @Nullable [] second) {
        Bytes one = Bytes.copyOf(first);
        String two = second == null ? null : Bytes.copyOf(second).base64Url();
        return new Extension(
                NAME,
                options -> options.object(
                        NAME,
                        prf -> prf.object(
                                "eval", eval -> eval.bytes("first", one).optionalText("second", two))));
    }

    static Optional<Boolean> enabled(ExtensionOutputs outputs) {
        return outputs.flag(NAME, "enabled");
    }
}
