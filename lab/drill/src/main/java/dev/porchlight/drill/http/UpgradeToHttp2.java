// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.porchlight.drill.scenario.Fleet;
import dev.porchlight.drill.scenario.Fleet.Store;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Parallel;
import dev.porchlight.rig.ReverseProxy;
import dev.porchlight.testkit.remote.RawResponses;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** R36: cleartext HTTP/2 with a hidden request to an operators' path. */
public final class UpgradeToHttp2 {
    /** For a peer that may leave the connection open. */
    private static final Duration SILENCE = Duration.ofSeconds(2);

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

    public void run(TestBed bed) throws Exception {
        try (Fleet fleet = bed.services().fleet(Store.SQLITE)) {
            run(fleet.first(), bed);
        }
    }

    private static void run(Instance service, TestBed bed) throws Exception {
        ReverseProxy haproxy = bed.stopAtEnd(ReverseProxy.haproxy(
                bed.directory(), List.of(service.port()), "http-request deny if { path_beg " + FORBIDDEN + " }"));
        ReverseProxy nginx =
                bed.stopAtEnd(ReverseProxy.nginx(bed.directory().resolve("nginx"), service.port(), FORBIDDEN));
        Map<String, Integer> ways = new LinkedHashMap<>();
        ways.put("directly", service.port());
        ways.put("through HAProxy", haproxy.port());
        ways.put("through nginx", nginx.port());
        List<Map.Entry<String, Integer>> all = List.copyOf(ways.entrySet());
        List<List<RawResponses>> responses = Parallel.map(
                all,
                way -> List.of(
                        RawResponses.to(way.getValue(), UPGRADE + HIDDEN, SILENCE),
                        RawResponses.to(way.getValue(), HIDDEN, SILENCE)));
        for (int i = 0; i < all.size(); i++) {
            String way = all.get(i).getKey();
            RawResponses upgrade = responses.get(i).get(0);
            RawResponses direct = responses.get(i).get(1);
            bed.expect(isRefused(upgrade), "upgrade %s: %s", way, upgrade);
            bed.expect(isRefused(direct), "prior knowledge %s: %s", way, direct);
        }
        bed.expect(service.get("/health/live").status() == 200, "the service is alive");
    }

    /** Whether no tunnel was opened and the hidden request got no response. HAProxy may speak HTTP/2 itself under its own rules. */
    private static boolean isRefused(RawResponses responses) {
        return !responses.text().contains(" 101 ") && !responses.text().contains("httpVersion");
    }

    private static String octets(String hex) {
        return new String(HexFormat.of().parseHex(hex), ISO_8859_1);
    }
}
