// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.tamper;

import static dev.porchlight.testkit.response.Seam.CLIENT_DATA;
import static dev.porchlight.testkit.response.Seam.CLIENT_DATA_OCTETS;

import dev.porchlight.testkit.response.Seams;
import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;

/** Mutations of the text of client data. */
final class ClientDataTextMutations extends MutationTable {
    ClientDataTextMutations() {
        inBoth("7.1.5", "7.2.9", "T40");
        octets(
                "client-data-not-utf-8",
                "has an octet that is invalid in UTF-8",
                it -> Octets.join(
                        Octets.head(it, it.length - 1), Octets.utf8(",\"x\":\""), Octets.of(0xff), Octets.utf8("\"}")));
        octets(
                "client-data-with-an-overlong-letter",
                "has an overlong letter",
                it -> Octets.join(
                        Octets.head(it, it.length - 1),
                        Octets.utf8(",\"x\":\""),
                        Octets.of(0xc1, 0xa1),
                        Octets.utf8("\"}")));
        octets(
                "client-data-in-utf-16",
                "is written in UTF-16",
                it -> Octets.text(it).getBytes(StandardCharsets.UTF_16BE));
        octets("client-data-empty", "is empty", it -> new byte[0]);
        octets(
                "client-data-after-two-byte-order-marks",
                "starts with two byte order marks",
                it -> Octets.join(Octets.utf8("\ufeff\ufeff"), it));
        valid(
                "client-data-after-a-byte-order-mark",
                "starts with a byte order mark, which UTF-8 decoding drops",
                swap(CLIENT_DATA_OCTETS, it -> Octets.join(Octets.utf8("\ufeff"), it)));

        inBoth("7.1.6", "7.2.10", "T40");
        text("client-data-not-json", "is not JSON", it -> "hello");
        text("client-data-in-a-list", "is a list that contains the object", it -> "[" + it + "]");
        text("client-data-twice", "is two objects", it -> it + it);
        text("client-data-with-a-tail", "has trailing text", it -> it + "x");
        text("client-data-with-a-comment", "has a comment", it -> "/* */" + it);
        text("client-data-in-single-quotes", "uses single quotes", it -> it.replace('"', '\''));
        text("client-data-with-a-last-comma", "has a trailing comma", it -> before(it, ","));
        text("client-data-unfinished", "is truncated", it -> it.substring(0, it.length() - 1));
        text("client-data-null", "is null", it -> "null");
        text("type-twice", "has the type twice, the right one last", it -> after(it, "\"type\":\"webauthn.evil\","));
        text(
                "type-twice-right-first",
                "has the type twice, the right one first",
                it -> before(it, ",\"type\":\"webauthn.evil\""));
        text("challenge-twice", "has the challenge twice", it -> after(it, "\"challenge\":\"AAAA\","));
        text("origin-twice", "has the origin twice", it -> after(it, "\"origin\":\"https://evil.test\","));
        text(
                "origin-twice-by-escape",
                "has the origin twice, once with an escape in the name",
                it -> after(it, "\"\\u006frigin\":\"https://evil.test\","));
        valid(
                "client-data-with-more-members",
                "has unknown members",
                edit(
                        CLIENT_DATA,
                        it -> it.members()
                                .put("androidPackageName", "org.example.browser")
                                .put("new_keys_may_be_added_here", "do not compare clientDataJSON against a template.")
                                .put("later", new JsonObject().put("nested", List.of(1L, true)))));
        valid("client-data-with-white-space", "has line breaks", text(it -> it.replace(",\"", ",\n  \"")));
        valid(
                "client-data-in-another-order",
                "has its members in another order",
                edit(CLIENT_DATA, it -> it.members().putFirst("origin", it.origin())));
        valid("client-data-with-escapes", "escapes the slashes of the origin", text(it -> it.replace("/", "\\/")));
        valid(
                "client-data-beyond-ascii",
                "has non-ASCII letters in an unknown member",
                edit(CLIENT_DATA, it -> it.members().put("greeting", "Grüße, \ud83d\udd11")));

        inBoth("7.1.3", "7.2.3", "T43");
        text(
                "client-data-of-64-kilobytes",
                "exceeds 64 kilobytes with an unknown member",
                it -> before(it, ",\"x\":\"" + "x".repeat(65_536) + "\""));
        inBoth("7.1.6", "7.2.10", "T43");
        text(
                "client-data-nested-deep",
                "nests five thousand lists",
                it -> before(it, ",\"x\":" + "[".repeat(5_000) + "]".repeat(5_000)));
    }

    private void text(String name, String description, UnaryOperator<String> change) {
        invalid(name, description, text(change));
    }

    private void octets(String name, String description, UnaryOperator<byte[]> change) {
        invalid(name, description, swap(CLIENT_DATA_OCTETS, change));
    }

    private static Seams text(UnaryOperator<String> change) {
        return swap(CLIENT_DATA_OCTETS, it -> Octets.utf8(change.apply(Octets.text(it))));
    }

    /** Inserts text after the opening brace. */
    private static String after(String json, String members) {
        return "{" + members + json.substring(1);
    }

    /** Inserts text before the closing brace. */
    private static String before(String json, String members) {
        return json.substring(0, json.length() - 1) + members + "}";
    }
}
