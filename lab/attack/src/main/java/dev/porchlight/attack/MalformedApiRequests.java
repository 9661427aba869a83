// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.wire.Octets;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** Requests that violate the API: bodies, media types, methods, queries. */
final class MalformedApiRequests extends Attack {
    private static final Map<String, String> BODIES = Map.ofEntries(
            Map.entry("nothing", ""),
            Map.entry("white space", " \n"),
            Map.entry("null", "null"),
            Map.entry("a list", "[]"),
            Map.entry("a number", "1e999999"),
            Map.entry("an unclosed object", "{"),
            Map.entry("a trailing comma", "{\"userId\":\"a\",}"),
            Map.entry("single quotes", "{'userId':'a'}"),
            Map.entry("a comment", "/* */{\"userId\":\"a\"}/* */x"),
            Map.entry("a number for a string", "{\"userId\":1}"),
            Map.entry("an empty string", "{\"userId\":\"\"}"),
            Map.entry("a NUL in a string", "{\"userId\":\"a\\u0000b\"}"),
            Map.entry("an unpaired surrogate", "{\"userId\":\"\\ud800\"}"),
            Map.entry("a string of 10,000 characters", "{\"userId\":\"" + "a".repeat(10_000) + "\"}"),
            Map.entry("20,000 brackets", "[".repeat(20_000)),
            Map.entry("5,000 nested objects", "{\"id\":".repeat(5_000) + "1" + "}".repeat(5_000)));

    private static final List<String> MEDIA_TYPES = List.of(
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "application/xml",
            "text/html",
            "application/octet-stream");

    private static final List<String> QUERIES =
            List.of("=", "=%00", "=a%0Ab", "=a&userId=b", "=%ff", "=%C0%80", "=" + "a".repeat(300));

    @Override
    void attempt() {
        String finish = Person.LOGIN_FINISH + attacker.query();
        BODIES.forEach((what, body) -> {
            judge("signing up with " + what, target.post("/auth/signup", body));
            judge("finishing a login with " + what, target.post(finish, body));
            judge("finishing a registration with " + what, attacker.finishRegistration(body));
        });
        encodings();
        for (String type : MEDIA_TYPES) {
            judge(
                    "a valid login as " + type,
                    target.sendBody(finish, Octets.utf8(attacker.assertion()), "Content-Type", type));
        }
        judge("a valid login without a media type", target.sendBody(finish, Octets.utf8(attacker.assertion())));
        for (String method : List.of("PUT", "PATCH", "DELETE", "BREW")) {
            judge("a valid login by " + method, target.send(method, finish, attacker.assertion()));
        }
        judge("finishing a login by GET", target.get(finish));
        judge("options by POST", target.post(Person.LOGIN_OPTIONS, "{}"));
        for (String query : QUERIES) {
            judge("options for userId" + query, target.get(Person.LOGIN_OPTIONS + "?userId" + query));
        }
        judge("a header of 256 kilobytes", target.get(Person.LOGIN_OPTIONS, "X-Filler", "a".repeat(256 * 1_024)));
    }

    private void encodings() {
        BiConsumer<String, byte[]> attempt = (how, body) -> judge(
                "a valid login " + how,
                target.sendBody(Person.LOGIN_FINISH + attacker.query(), body, "Content-Type", "application/json"));
        Supplier<String> login = attacker::assertion;
        attempt.accept("in UTF-16", login.get().getBytes(StandardCharsets.UTF_16));
        attempt.accept("after a byte order mark", Octets.utf8('\uFEFF' + login.get()));
        attempt.accept("followed by NUL", Octets.utf8(login.get() + '\0'));
        attempt.accept("followed by invalid UTF-8", Octets.join(Octets.utf8(login.get()), Octets.of(0xff)));
        attempt.accept("followed by a megabyte of spaces", Octets.utf8(login.get() + " ".repeat(1 << 20)));
        attempt.accept(
                "with two types", Octets.utf8("{\"type\":\"x\"," + login.get().substring(1)));
    }
}
