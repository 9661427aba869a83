// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Strict UTF-8 decoder: refuses overlong forms, surrogates and malformed input. */
final class Utf8 {
    private Utf8() {}

    static String decode(byte[] input, int from, int length) throws CharacterCodingException {
        for (int i = from; i < from + length; i++) {
            if (input[i] < 0) {
                return StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(input, from, length))
                        .toString();
            }
        }
        return new String(input, from, length, StandardCharsets.ISO_8859_1); // pure ASCII
    }
}
