// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.base.JsonWriter;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A requested extension. Each kind has a class with its forms in a configuration, its members in the options, and the parsing of
 * its outputs; {@link Extensions} has the table.
 *
 * @param name the identifier, which is also the name of its outputs
 * @param output the member of its unsigned output that it requests; empty for none
 * @param input writes its members of the options, which allow these passkeys; none at registration
 */
record Extension(String name, String output, BiConsumer<JsonWriter, List<CredentialDescriptor>> input) {
    /** An extension whose members do not depend on the allowed passkeys. */
    Extension(String name, String output, Consumer<JsonWriter> input) {
        this(name, output, (options, allowed) -> input.accept(options));
    }

    /**
     * A form in a configuration.
     *
     * @param pattern such as {@code largeBlob=required}; any text may follow one that ends with an ellipsis
     * @param request requests the extension with the text after the equals sign
     */
    record Form(String pattern, BiConsumer<Extensions.Builder, String> request) {
        boolean matches(String form) {
            int fixed = pattern.indexOf('…');
            return fixed < 0 ? form.equals(pattern) : form.startsWith(pattern.substring(0, fixed));
        }
    }
}
