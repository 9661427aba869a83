// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.protocol;

import com.nimbusds.oauth2.sdk.util.URLUtils;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.openid.protocol.Refusal.Reason;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parameters of a query or form, bounded. The SDK parses them; what it would repair is refused. Immutable. */
public final class Parameters {
    private static final int MAX_COUNT = 50;
    private static final int MAX_LENGTH = 16_384;
    private static final String BOUNDED = "at most " + MAX_COUNT + " parameters and " + MAX_LENGTH + " characters";
    private static final char REPLACEMENT = '\uFFFD';

    private final Map<String, List<String>> values;

    private Parameters(Map<String, List<String>> values) {
        this.values = values;
    }

    /** The parameters of a request: of the form, if it has one, or else of the query. */
    public static Parameters of(Exchange exchange) throws RefusedException, ProblemException, IOException {
        return parse(exchange.method().equals("POST") ? exchange.formText() : exchange.query());
    }

    /** Parses {@code application/x-www-form-urlencoded} text; refused if it is too long or not well-formed. */
    public static Parameters parse(@Nullable String given) throws RefusedException {
        String text = given == null ? "" : given;
        require(text.length() <= MAX_LENGTH, BOUNDED);
        int count = 1;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            require(c > ' ' && c <= '~', "ASCII characters");
            require(c != '%' || isHex(text, i + 1) && isHex(text, i + 2), "valid percent-encoding");
            count += c == '&' ? 1 : 0;
        }
        require(count <= MAX_COUNT, BOUNDED);
        Map<String, List<String>> values = URLUtils.parseParameters(text);
        String decoded = values.toString();
        for (int i = 0; i < decoded.length(); i++) {
            require(decoded.charAt(i) != REPLACEMENT, "UTF-8");
            require(!Character.isISOControl(decoded.charAt(i)), "no control characters");
        }
        return new Parameters(values);
    }

    private static boolean isHex(String text, int index) {
        return index < text.length() && Character.digit(text.charAt(index), 16) >= 0;
    }

    private static void require(boolean wellFormed, String expected) throws RefusedException {
        if (!wellFormed) {
            throw Reason.MALFORMED_REQUEST.refused("", expected, "");
        }
    }

    /** The parameter's first value, or null if it is absent or empty, which OAuth treats alike. */
    public @Nullable String get(String name) {
        List<String> given = values.get(name);
        return given == null || given.get(0).isEmpty() ? null : given.get(0);
    }

    /** The parameter's value; refused if it is absent or empty. */
    public String required(String name) throws RefusedException {
        String value = get(name);
        if (value == null) {
            throw Reason.MALFORMED_REQUEST.refused(name, "a value", null);
        }
        return value;
    }

    /** The parameter's value, or null if it is absent or empty; refused if it is repeated. */
    public @Nullable String single(String name) throws RefusedException {
        if (isRepeated(name)) {
            throw Reason.REPEATED_PARAMETER.refused(name, "one value", "several values");
        }
        return get(name);
    }

    public boolean isRepeated(String name) {
        List<String> given = values.get(name);
        return given != null && given.size() > 1;
    }

    /** Refuses repeated parameters. */
    public void requireSingle() throws RefusedException {
        for (String name : values.keySet()) {
            single(name);
        }
    }

    /** In the form that the SDK parses. */
    public Map<String, List<String>> toMap() {
        return values;
    }
}
