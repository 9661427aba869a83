// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.explain;

/**
 * What a step looks at, in words for an operator. Strangers' texts in it are short and printable, and no challenge, id or
 * signature is in it whole.
 *
 * @param expected what passes; empty if that is not to be said in a few words
 * @param found what was received; empty if it could not be read
 */
public record Comparison(String expected, String found) {
    static final Comparison NONE = new Comparison("", "");
}
