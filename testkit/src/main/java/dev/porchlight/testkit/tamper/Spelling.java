// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.tamper;

/** Other spellings of base64url that careless decoders take for the same octets. */
final class Spelling {
    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    private Spelling() {}

    /** With the padding of plain base64; a text that needs none gets a whole group of it. */
    static String padded(String base64Url) {
        return base64Url + "====".substring(base64Url.length() % 4);
    }

    /** With one of the bits set that the last character does not use; a text that uses all gets a character that says nothing. */
    static String strayBits(String base64Url) {
        int last = base64Url.length() - 1;
        if (base64Url.length() % 4 == 0) {
            return base64Url + 'B';
        }
        char stray = ALPHABET.charAt(ALPHABET.indexOf(base64Url.charAt(last)) | 1);
        return base64Url.substring(0, last) + stray;
    }

    /** With a line break in the middle, as MIME allows. */
    static String broken(String base64Url) {
        int half = base64Url.length() / 2;
        return base64Url.substring(0, half) + "\r\n" + base64Url.substring(half);
    }
}
