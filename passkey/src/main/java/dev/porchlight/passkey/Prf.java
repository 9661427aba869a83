// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.passkey.Extension.Form;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Keys for the page, derived by the passkey (section 10.1.4). A response that has them is refused when it is parsed. */
final class Prf {
    private static final String NAME = "prf";
    private static final String ENABLED = "enabled";
    static final List<Form> FORMS = List.of(new Form(NAME, (builder, none) -> builder.prf()));

    private Prf() {}

    /** Requests support at registration, with inputs also results for the page if the authenticator has them at once. */
    static Extension created(@Nullable Inputs eval) {
        return new Extension(
                NAME,
                ENABLED,
                options -> options.object(NAME, prf -> {
                    if (eval != null) {
                        eval.write(prf, "eval");
                    }
                }));
    }

    /** The salts of one evaluation, in base64url. */
    record Inputs(String first, @Nullable String second) {
        static Inputs of(byte[] first, byte @Nullable [] second) {
            return new Inputs(
                    Bytes.copyOf(first).base64Url(),
                    second == null ? null : Bytes.copyOf(second).base64Url());
        }

        private void write(JsonWriter json, String name) {
            json.object(name, inputs -> inputs.text("first", first).optionalText("second", second));
        }
    }

    /**
     * Requests results for the page at login.
     *
     * @param eval the inputs for a passkey without its own; null for none
     * @param own the inputs of single passkeys, by credential id
     */
    static Extension evaluated(@Nullable Inputs eval, Map<String, Inputs> own) {
        var byCredential = new TreeMap<>(own);
        return new Extension(
                NAME,
                "",
                (options, allowed) -> options.object(NAME, prf -> {
                    if (eval != null) {
                        eval.write(prf, "eval");
                    }
                    // Browsers refuse a login with inputs for a passkey that is not allowed.
                    var ids = allowed.stream().map(CredentialDescriptor::id).toList();
                    var usable = new TreeMap<>(byCredential);
                    usable.keySet().retainAll(ids);
                    if (!usable.isEmpty()) {
                        prf.object("evalByCredential", it -> usable.forEach((id, inputs) -> inputs.write(it, id)));
                    }
                }));
    }

    static Optional<Boolean> enabled(ExtensionOutputs outputs) {
        return outputs.flag(NAME, ENABLED);
    }
}
