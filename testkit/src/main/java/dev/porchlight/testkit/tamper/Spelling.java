// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.tamper;

/** Invalid base64url variants that lenient decoders accept. */
final class Spelling {
    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    private Spelling() {}

    /** Adds padding as in plain base64, or four padding characters if none is needed. */
    static String padded(String base64Url) {
        return base64Url + "====".substring(base64Url.length() % 4);
    }

    /** Sets an unused bit of the last character, or adds a meaningless character if all bits are used. */
    static String strayBits(String base64Url) {
        int last = base64Url.length() - 1;
        if (base64Url.length() % 4 == 0) {
            return base64Url + 'B';
        }
        char stray = ALPHABET.charAt(ALPHABET.indexOf(base64Url.charAt(last)) | 1);
        return base64Url.substring(0, last) + stray;
    }

    /** Adds a line break in the middle, as in MIME. */
    static String broken(String base64Url) {
        int half = base64Url.length() / 2;
        return base64Url.substring(0, half) + "\r\n" + base64Url.substring(half);
    }
}
