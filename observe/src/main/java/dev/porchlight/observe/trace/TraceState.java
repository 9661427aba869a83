// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The header {@code tracestate}: data of other vendors, passed on unchanged and in order.
 *
 * <p>A list with an invalid member is dropped completely, as the specification recommends.
 */
final class TraceState {
    private static final int MAX_MEMBERS = 32;
    private static final int MAX_LENGTH = 512;
    private static final int LARGE_MEMBER = 128;
    private static final int MAX_KEY = 256;
    private static final int MAX_VALUE = 256;

    private TraceState() {}

    /** Returns the members of all headers, ready to be propagated; empty if there are no members or one is invalid. */
    static String parse(List<String> headers) {
        if (headers.isEmpty()) {
            return "";
        }
        List<String> members = new ArrayList<>();
        Set<String> keys = new HashSet<>();
        for (String header : headers) {
            for (String part : header.split(",", -1)) {
                String member = TraceParent.trim(part);
                if (member.isEmpty()) {
                    continue;
                }
                int equals = member.indexOf('=');
                if (members.size() == MAX_MEMBERS
                        || equals < 0
                        || !validKey(member.substring(0, equals))
                        || !validValue(member.substring(equals + 1))
                        || !keys.add(member.substring(0, equals))) {
                    return "";
                }
                members.add(member);
            }
        }
        shorten(members);
        return String.join(",", members);
    }

    /** Drops members until the list is short enough: first large ones, then from the end. */
    private static void shorten(List<String> members) {
        for (int i = members.size() - 1; i >= 0 && length(members) > MAX_LENGTH; i--) {
            if (members.get(i).length() > LARGE_MEMBER) {
                members.remove(i);
            }
        }
        while (length(members) > MAX_LENGTH) {
            members.remove(members.size() - 1);
        }
    }

    private static int length(List<String> members) {
        return members.stream().mapToInt(member -> member.length() + 1).sum() - 1;
    }

    private static boolean validKey(String key) {
        return !key.isEmpty()
                && key.length() <= MAX_KEY
                && letterOrDigit(key.charAt(0))
                && key.chars().allMatch(c -> letterOrDigit(c) || "_-*/@".indexOf(c) >= 0);
    }

    private static boolean letterOrDigit(int c) {
        return c >= 'a' && c <= 'z' || c >= '0' && c <= '9';
    }

    /** The member is already trimmed, so the value cannot end in a space. */
    private static boolean validValue(String value) {
        return !value.isEmpty()
                && value.length() <= MAX_VALUE
                && value.chars().allMatch(c -> c >= 0x20 && c <= 0x7e && c != ',' && c != '=');
    }
}
