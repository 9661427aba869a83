// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.http;

import dev.porchlight.drill.scenario.Fleet;
import dev.porchlight.drill.scenario.Fleet.Store;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Parallel;
import dev.porchlight.rig.ReverseProxy;
import dev.porchlight.testkit.remote.RawResponses;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** R18: invalid HTTP, and requests that two parsers could split differently. */
public final class MalformedRequests {
    /** For a peer that may leave the connection open. */
    private static final Duration SILENCE = Duration.ofSeconds(2);

    private static final String GET = "GET /auth/session HTTP/1.1\r\nHost: localhost\r\n";
    private static final String POST =
            "POST /auth/signup HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    private static final String HIDDEN = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final Set<Integer> REFUSALS = Set.of(400, 413, 414, 431, 501, 505);

    public void run(TestBed bed) throws Exception {
        try (Fleet fleet = bed.services().fleet(Store.SQLITE)) {
            run(fleet.first(), bed);
        }
    }

    private static void run(Instance service, TestBed bed) throws Exception {
        List<String> wrong = new ArrayList<>();
        for (Map.Entry<String, String> each : requests().entrySet()) {
            RawResponses responses = RawResponses.to(service.port(), each.getValue(), Duration.ofSeconds(20));
            if (responses.count() != 1 || !REFUSALS.contains(responses.status()) || !responses.closed()) {
                wrong.add(each.getKey() + " (" + responses + ")");
            }
        }
        bed.expect(
                wrong.isEmpty(),
                "%d requests refused, not refused: %s",
                requests().size() - wrong.size(),
                wrong);
        ReverseProxy proxy = bed.stopAtEnd(ReverseProxy.haproxy(bed.directory(), List.of(service.port()), ""));
        List<String> smuggled = smuggled(proxy.port());
        bed.expect(smuggled.isEmpty(), "smuggled through HAProxy: %s", smuggled);
        bed.expect(service.get("/health/live").status() == 200, "the service is alive");
        bed.expect(!service.get("/metrics").body().contains("status=\"500\""), "no response with 500");
    }

    /** Sends all requests concurrently, since the proxy leaves most connections open. */
    private static List<String> smuggled(int port) throws IOException, InterruptedException {
        return Parallel.map(List.copyOf(requests().entrySet()), each -> {
                    RawResponses responses = RawResponses.to(port, each.getValue(), SILENCE);
                    return responses.text().contains("\"status\":\"ok\"") ? each.getKey() + " (" + responses + ")" : "";
                })
                .stream()
                .filter(it -> !it.isEmpty())
                .toList();
    }

    private static Map<String, String> requests() throws IOException {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("a header of 64 KB", GET + "X: " + "a".repeat(65_536) + "\r\n\r\n");
        all.put("10,000 headers", GET + "X: a\r\n".repeat(10_000) + "\r\n");
        all.put("a URL of 1 MB", "GET /" + "a".repeat(1 << 20) + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
        all.put("two lengths", POST + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}   " + HIDDEN);
        all.put(
                "length and chunks",
                POST + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + HIDDEN);
        all.put("an unknown transfer coding", POST + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + HIDDEN);
        all.put("chunked twice", POST + "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n" + HIDDEN);
        all.put("a space before the colon", GET + "Content-Length : 40\r\n\r\n" + HIDDEN);
        all.put("a folded header", GET + "X: a\r\n b\r\n\r\n");
        all.put("NUL in a header", GET + "X: a\0b\r\n\r\n");
        all.put("a bare CR in a header", GET + "X: a\rY: b\r\n\r\n");
        all.put("no Host", "GET /auth/session HTTP/1.1\r\n\r\n");
        all.put("two Hosts", GET + "Host: elsewhere\r\n\r\n");
        all.put("a negative length", POST + "Content-Length: -1\r\n\r\n");
        all.put("a length with a sign", POST + "Content-Length: +2\r\n\r\n{}");
        all.put("an invalid chunk size", POST + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n");
        all.put("a chunk of 2^64", POST + "Transfer-Encoding: chunked\r\n\r\n10000000000000000\r\n{}\r\n0\r\n\r\n");
        all.put("an invalid method", "G@T / HTTP/1.1\r\nHost: localhost\r\n\r\n");
        all.put("HTTP/9.9", "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n");
        all.put("a TLS handshake", "\u0016\u0003\u0001\u0002\0\u0001\0\u0001\r\n\r\n");
        return all;
    }
}
