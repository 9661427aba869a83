// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.transfer;

import dev.porchlight.base.Base64Url;
import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Bytes in the forms that JavaScript and PostgreSQL give them in JSON. */
final class ByteMember {
    private static final int MAX_BYTES = 4_096;
    private static final Pattern HEX = Pattern.compile("\\\\x([0-9a-f]{2})+");

    private ByteMember() {}

    /**
     * Reads base64 or base64url, PostgreSQL's hexadecimal form of {@code bytea}, an array of numbers, and the JSON of
     * {@code Uint8Array} and {@code Buffer}.
     */
    static Bytes read(JsonObject object, String name) throws MalformedException {
        if (object.isText(name)) {
            String text = object.text(name);
            return HEX.matcher(text).matches()
                    ? Bytes.ofHex(text.substring(2))
                    : Base64Url.decode(urlSafe(text), MAX_BYTES, name);
        }
        if (!object.isObject(name)) {
            return bytes(object, name, object.integers(name));
        }
        JsonObject value = object.object(name);
        return bytes(
                object, name, value.names().contains("data") ? value.integers("data") : indexed(object, name, value));
    }

    /** Converts standard base64 to base64url without padding. */
    static String urlSafe(String base64) {
        int end = base64.length();
        while (end > 0 && base64.charAt(end - 1) == '=') {
            end--;
        }
        return base64.substring(0, end).replace('+', '-').replace('/', '_');
    }

    /** The JSON of a Uint8Array: {@code {"0":165,"1":1}}. */
    private static List<Long> indexed(JsonObject object, String name, JsonObject value) throws MalformedException {
        List<Long> elements = new ArrayList<>();
        for (int i = 0; i < value.names().size(); i++) {
            Long element = value.optionalInteger(Integer.toString(i));
            if (element == null) {
                throw object.malformed(name, "not bytes");
            }
            elements.add(element);
        }
        return elements;
    }

    private static Bytes bytes(JsonObject object, String name, List<Long> elements) throws MalformedException {
        byte[] bytes = new byte[elements.size()];
        for (int i = 0; i < bytes.length; i++) {
            long element = elements.get(i);
            if (element < 0 || element > 255) {
                throw object.malformed(name, "not bytes");
            }
            bytes[i] = (byte) element;
        }
        if (bytes.length == 0 || bytes.length > MAX_BYTES) {
            throw object.malformed(name, "must have 1 to " + MAX_BYTES + " bytes");
        }
        return Bytes.copyOf(bytes);
    }
}
