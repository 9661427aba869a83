// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.porchlight.drill.row.About;
import dev.porchlight.drill.row.Findings;
import dev.porchlight.drill.row.Ground;
import dev.porchlight.drill.row.Promise;
import dev.porchlight.drill.row.Row;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.proxy.Haproxy;
import dev.porchlight.rig.proxy.Nginx;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** R36: a client asks for cleartext HTTP/2, and hides a request for operators in it. */
public final class UpgradeToHttp2 implements Row {
    private static final String FORBIDDEN = "/admin/";

    /** The preface, empty SETTINGS, and HEADERS of GET /admin/request at localhost on stream 3. */
    private static final String HIDDEN = String.join(
            "",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            octets("000000040000000000" + "00001d010500000003" + "8286" + "040e"),
            "/admin/request",
            octets("4109"),
            "localhost");

    private static final String UPGRADE = String.join(
            "\r\n",
            "GET /health/live HTTP/1.1",
            "Host: localhost",
            "Connection: Upgrade, HTTP2-Settings",
            "Upgrade: h2c",
            "HTTP2-Settings: AAMAAABkAAQAAP__",
            "",
            "");

    @Override
    public About about() {
        return new About(
                "R36",
                "an upgrade to cleartext HTTP/2, and HTTP/2 by prior knowledge, with a request for operators in it; directly,"
                        + " through HAProxy and through nginx, which keep clients from that path and forward upgrades",
                "no 101; no path rule or address check is bypassed",
                Promise.P3);
    }

    @Override
    public void run(Ground ground, Findings findings) throws Exception {
        Instance service = ground.start(ground.service());
        Haproxy haproxy = ground.stopAtEnd(Haproxy.start(
                ground.directory(), List.of(service.port()), "http-request deny if { path_beg " + FORBIDDEN + " }"));
        Nginx nginx = ground.stopAtEnd(Nginx.start(ground.directory().resolve("nginx"), service.port(), FORBIDDEN));
        Map<String, Integer> ways = new LinkedHashMap<>();
        ways.put("directly", service.port());
        ways.put("through HAProxy", haproxy.port());
        ways.put("through nginx", nginx.port());
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Map<String, Future<RawAnswers>> sent = new LinkedHashMap<>();
            ways.forEach((way, port) -> {
                sent.put("upgrade " + way, threads.submit(() -> RawAnswers.to(port, UPGRADE + HIDDEN)));
                sent.put("prior knowledge " + way, threads.submit(() -> RawAnswers.to(port, HIDDEN)));
            });
            for (Map.Entry<String, Future<RawAnswers>> each : sent.entrySet()) {
                RawAnswers answers = each.getValue().get();
                findings.expect(isRefused(answers), "%s: %s", each.getKey(), answers);
            }
        } finally {
            threads.shutdownNow();
        }
        findings.expect(service.get("/health/live").status() == 200, "the service is there");
    }

    /** Whether no tunnel was opened and the hidden request got no response. HAProxy may speak HTTP/2 itself, by its own rules. */
    private static boolean isRefused(RawAnswers answers) {
        return !answers.text().contains(" 101 ") && !answers.text().contains("httpVersion");
    }

    private static String octets(String hex) {
        return new String(HexFormat.of().parseHex(hex), ISO_8859_1);
    }
}
