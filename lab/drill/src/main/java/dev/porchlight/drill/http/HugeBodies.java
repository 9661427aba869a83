// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.testkit.remote.RawResponses;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPOutputStream;

/** R19: bodies of a gigabyte, compressed bodies that expand to one, and unexpected content types. */
public final class HugeBodies {
    private static final String POST = "POST /auth/signup HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
    private static final String JSON = POST + "Content-Type: application/json\r\n";
    private static final Set<Integer> REFUSALS = Set.of(400, 413, 415);
    private static final int MEGABYTE = 1 << 20;

    public void run(TestBed bed) throws Exception {
        Instance service = bed.services().smallHeap().running();
        int rounds = bed.rounds(20, 3);
        List<String> wrong = new ArrayList<>();
        Map<String, String> requests = requests();
        send(service, requests, bed.rounds(10, 3), wrong); // warm-up
        long before = service.residentKb();
        send(service, requests, rounds, wrong);
        long grown = service.residentKb() - before;
        bed.expect(wrong.isEmpty(), "%d rounds, not refused: %s", rounds, wrong);
        bed.expect(grown < 5_000, "%,d kB before, grown by %,d kB", before, grown);
        bed.expect(bed.isReady(service), "the service is ready");
    }

    private static void send(Instance service, Map<String, String> requests, int rounds, List<String> wrong)
            throws IOException {
        for (int i = 0; i < rounds; i++) {
            for (Map.Entry<String, String> each : requests.entrySet()) {
                RawResponses responses = RawResponses.to(service.port(), each.getValue(), Duration.ofSeconds(20));
                if (!REFUSALS.contains(responses.status())) {
                    wrong.add(each.getKey() + " (" + responses + ")");
                }
            }
        }
    }

    /** Announces a gigabyte and sends as much as the service accepts. */
    private static Map<String, String> requests() {
        String chunk = Integer.toHexString(MEGABYTE) + "\r\n" + "a".repeat(MEGABYTE) + "\r\n";
        String bomb = zeros(16 * MEGABYTE);
        Map<String, String> all = new LinkedHashMap<>();
        all.put("1 GB with a length", JSON + "Content-Length: 1073741824\r\n\r\n" + "a".repeat(4 * MEGABYTE));
        all.put("1 GB in chunks", JSON + "Transfer-Encoding: chunked\r\n\r\n" + chunk.repeat(4));
        all.put("gzip", JSON + "Content-Encoding: gzip\r\nContent-Length: " + bomb.length() + "\r\n\r\n" + bomb);
        all.put("deep JSON", JSON + "Content-Length: 60000\r\n\r\n" + "[".repeat(60_000));
        all.put("text", POST + "Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}");
        all.put("a form", POST + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 2\r\n\r\n{}");
        return all;
    }

    private static String zeros(int count) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(new byte[count]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toString(ISO_8859_1);
    }
}
