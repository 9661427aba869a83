// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.Extension.Form;
import dev.porchlight.passkey.Extensions.LargeBlobSupport;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Data that a passkey stores for the page (section 10.1.5): its support at registration, a read or a write at login. */
final class LargeBlob {
    private static final String NAME = "largeBlob";
    private static final String CONTENT = "blob";
    private static final int MAX_BYTES = 16_384;

    static final List<Form> FORMS = List.of(
            new Form(NAME, (builder, none) -> builder.largeBlob(LargeBlobSupport.PREFERRED)),
            new Form(NAME + "=required", (builder, value) -> builder.largeBlob(LargeBlobSupport.REQUIRED)));

    private LargeBlob() {}

    static Extension support(LargeBlobSupport support) {
        String value = support == LargeBlobSupport.REQUIRED ? "required" : "preferred";
        return with("supported", blob -> blob.text("support", value));
    }

    static Extension read() {
        return with(CONTENT, blob -> blob.bool("read", true));
    }

    static Extension write(byte[] content) {
        if (content.length > MAX_BYTES) {
            throw new IllegalArgumentException("a large blob may have " + MAX_BYTES + " bytes");
        }
        Bytes copy = Bytes.copyOf(content);
        // Browsers refuse a login that writes, unless exactly one passkey is allowed.
        return new Extension(NAME, "written", (options, allowed) -> {
            if (allowed.size() == 1) {
                options.object(NAME, blob -> blob.bytes("write", copy));
            }
        });
    }

    private static Extension with(String output, Consumer<JsonWriter> member) {
        return new Extension(NAME, output, options -> options.object(NAME, member));
    }

    /** Returns {@code supported} or {@code written}. */
    static Optional<Boolean> flag(ExtensionOutputs outputs, String name) {
        return outputs.flag(NAME, name);
    }

    static Optional<String> content(ExtensionOutputs outputs) {
        return outputs.unsigned(NAME, CONTENT).map(LargeBlob::content);
    }

    private static @Nullable String content(JsonObject output) {
        try {
            Bytes content = output.optionalBytes(CONTENT, JsonObject.MAX_CHARS);
            return content == null ? null : content.base64Url();
        } catch (MalformedException e) {
            return null;
        }
    }
}
