// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.Person;
import java.util.LinkedHashMap;
import java.util.Map;

/** Requests that are invalid HTTP, or that two parsers may split differently. */
final class MalformedHttp extends Attack {
    private static final String PATH = Person.LOGIN_OPTIONS;

    @Override
    void attempt() {
        requests(target.authority())
                .forEach((what, octets) -> judge(what, target.raw(octets).last()));
        String version = "GET " + PATH + " HTTP/9.9\r\nHost: " + target.authority() + "\r\nConnection: close\r\n\r\n";
        checkUnlessProxied("an unknown version", !target.raw(version).last().ok(), "accepted it");
    }

    /** Each would succeed if it were accepted, or hides a request that would. */
    private static Map<String, String> requests(String authority) {
        String host = "Host: " + authority + "\r\n";
        String end = "Connection: close\r\n\r\n";
        String get = "GET " + PATH + " HTTP/1.1\r\n";
        String post = "POST " + Person.LOGIN_FINISH + " HTTP/1.1\r\n" + host + "Content-Type: application/json\r\n";
        String hidden = get + host + end;
        Map<String, String> all = new LinkedHashMap<>();
        all.put("no host", get + end);
        all.put("two hosts", get + host + "Host: other.example\r\n" + end);
        all.put("a space before the colon", get + "Host : " + authority + "\r\n" + end);
        all.put("a null in a header", get + host + "X-A: a\0b\r\n" + end);
        all.put("a header without a name", get + host + ": a\r\n" + end);
        all.put("a space in the path", "GET " + PATH + " x HTTP/1.1\r\n" + host + end);
        all.put("TRACE", "TRACE " + PATH + " HTTP/1.1\r\n" + host + end);
        all.put(
                "two lengths",
                post + "Content-Length: 2\r\nContent-Length: " + (2 + hidden.length()) + "\r\n\r\n{}" + hidden);
        all.put(
                "a length and chunks",
                post + "Content-Length: " + (5 + hidden.length()) + "\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                        + hidden);
        all.put(
                "chunks of an unknown kind",
                post + "Transfer-Encoding: xchunked\r\nContent-Length: 2\r\n\r\n{}" + hidden);
        all.put("a negative length", post + "Content-Length: -1\r\n\r\n" + hidden);
        all.put("a length with a sign", post + "Content-Length: +2\r\n\r\n{}" + hidden);
        all.put(
                "an overflowing chunk length",
                post + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff2\r\n{}\r\n0\r\n\r\n" + hidden);
        return all;
    }
}
