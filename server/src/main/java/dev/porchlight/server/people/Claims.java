// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.people;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonTree;
import dev.porchlight.base.MalformedException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Custom claims of a user or a group, by name: strings, integers, booleans and lists of strings. Immutable.
 *
 * @param values {@code String}s, {@code Long}s, {@code Boolean}s and {@code List<String>}s
 */
public record Claims(Map<String, Object> values) {
    public static final Claims NONE = new Claims(Map.of());

    /** The most characters of all claims as JSON. */
    public static final int MAX_CHARS = 2_048;

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9._:/-]{0,127}");
    private static final int MAX_TEXT = 512;
    /** The integers that every JSON parser reads exactly. */
    private static final long MAX_INTEGER = (1L << 53) - 1;

    /** The names of JSON Web Tokens and OpenID Connect with a meaning that an operator cannot set. */
    private static final Set<String> RESERVED = Set.of(
            ("iss sub aud exp nbf iat jti auth_time nonce acr amr azp sid at_hash c_hash s_hash cnf act may_act events"
                            + " client_id scope grant_id name given_name family_name preferred_username email"
                            + " email_verified locale picture updated_at groups")
                    .split(" "));

    public Claims {
        values = Collections.unmodifiableMap(new TreeMap<>(values));
    }

    /** Why this is not the name of a custom claim, or null if it is one. */
    public static @Nullable String fault(String name) {
        if (!NAME.matcher(name).matches()) {
            return "a claim's name has 1 to 128 letters, digits and the characters . _ : / - and begins with a letter";
        }
        return RESERVED.contains(name) ? "the claim " + name + " is reserved" : null;
    }

    /** Reads what {@link #json} wrote. */
    public static Claims parse(@Nullable String json) {
        return json == null ? NONE : new Claims(JsonTree.parse(json));
    }

    /** These claims with the members of an object, of which null removes a claim. */
    public Claims with(JsonObject change) throws MalformedException {
        Map<String, Object> changed = new TreeMap<>(values);
        for (String name : change.names()) {
            String fault = fault(name);
            if (fault != null) {
                throw new MalformedException("claims", fault);
            }
            if (change.isNull(name)) {
                changed.remove(name);
            } else {
                changed.put(name, value(change, name));
            }
        }
        Claims claims = new Claims(changed);
        if (claims.json().length() > MAX_CHARS) {
            throw new MalformedException("claims", "all claims must have at most " + MAX_CHARS + " characters as JSON");
        }
        return claims;
    }

    private static Object value(JsonObject change, String name) throws MalformedException {
        Object value = change.value(name);
        boolean valid = value instanceof Boolean
                || value instanceof Long number && Math.abs(number) <= MAX_INTEGER
                || value instanceof String text && isText(text)
                || value instanceof List<?> list
                        && list.stream().allMatch(element -> element instanceof String text && isText(text));
        if (!valid || value == null) {
            throw change.malformed(
                    name,
                    "must be a string of at most " + MAX_TEXT + " characters, an integer, true, false or an array"
                            + " of strings");
        }
        return value;
    }

    private static boolean isText(String text) {
        return text.length() <= MAX_TEXT && ProfileMember.isVisible(text);
    }

    /** These claims, and others for the names that these do not have. */
    public Claims over(Claims others) {
        Map<String, Object> both = new TreeMap<>(others.values);
        both.putAll(values);
        return new Claims(both);
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }

    public String json() {
        return JsonTree.write(values);
    }
}
