// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.Extension.Form;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The URL under which credentials of U2F were registered: to sign in with them, or to exclude them (sections 10.1.1 and 10.1.2). */
final class AppId {
    private static final String ALLOW = "appid";
    private static final String EXCLUDE = "appidExclude";

    static final List<Form> FORMS = List.of(
            new Form(ALLOW + "=https://…", Extensions.Builder::appId),
            new Form(EXCLUDE + "=https://…", Extensions.Builder::appIdExclude));

    private AppId() {}

    static Extension allowed(String url) {
        return new Extension(ALLOW, "", options -> options.text(ALLOW, url));
    }

    static Extension excluded(String url) {
        return new Extension(EXCLUDE, "", options -> options.text(EXCLUDE, url));
    }

    /** Returns the hash that replaces the one of the relying party id, if the client reports that it used the app id. */
    static @Nullable Bytes hash(@Nullable String url, JsonObject outputs) {
        try {
            return url != null && Boolean.TRUE.equals(outputs.optionalBool(ALLOW))
                    ? Bytes.ofUtf8(url).sha256()
                    : null;
        } catch (MalformedException e) {
            return null;
        }
    }
}
