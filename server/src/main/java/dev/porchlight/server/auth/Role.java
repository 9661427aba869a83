// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The role of an operator. {@link Permission} has what each may do. */
public enum Role {
    OWNER,
    OPERATOR,
    SUPPORT,
    AUDITOR;

    /** The name in the database, in requests and in responses. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The role with this code, or null. */
    public static @Nullable Role of(String code) {
        return Stream.of(values())
                .filter(role -> role.code().equals(code))
                .findFirst()
                .orElse(null);
    }

    public boolean may(Permission permission) {
        return permission.roles().contains(this);
    }
}
