// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;

/** What the service sees of a request that comes by its public address: scheme and host as the client wrote them. */
final class ForwardingCheck {
    private static final Finding NEEDS_TOKEN =
            Finding.skipped("what the proxy forwards: asked only with ADMIN_TOKEN set");

    private final Config config;
    private final URI url;
    private final Probe probe;

    ForwardingCheck(Config config, URI url, Probe probe) {
        this.config = config;
        this.url = url;
        this.probe = probe;
    }

    /** Looks only where the admin token is safe: at a server whose certificate is trusted. */
    List<Finding> findings(boolean trusted) {
        if (!trusted) {
            return List.of(Finding.skipped("what the proxy forwards: asked only of a server that is trusted"));
        }
        if (!config.adminEnabled()) {
            return List.of(NEEDS_TOKEN);
        }
        try {
            String token = config.get(Settings.ADMIN_TOKEN).orElse("none");
            return judge(probe.get(url.resolve("/admin/request"), "Authorization", "Bearer " + token));
        } catch (IOException | MalformedException e) {
            return List.of(Finding.wrong(
                    url.resolve("/admin/request") + " does not answer as it should: " + e.getMessage(),
                    "curl -i -H \"Authorization: Bearer $ADMIN_TOKEN\" " + url.resolve("/admin/request")));
        }
    }

    private List<Finding> judge(HttpResponse<String> answer) throws MalformedException {
        if (answer.statusCode() == 403 && config.get(Settings.ADMIN_TOKEN).isEmpty()) {
            return List.of(NEEDS_TOKEN); // a local service answers without one, though not what comes through a proxy
        }
        if (answer.statusCode() != 200) {
            return List.of(Finding.wrong(
                    "the service at " + url + " does not take this ADMIN_TOKEN (status " + answer.statusCode() + ")",
                    "export ADMIN_TOKEN=THEIRS   # as the running service has it"));
        }
        JsonObject seen = JsonObject.parse(answer.body(), "request");
        List<Finding> findings = new ArrayList<>();
        if (seen.text("scheme").equals(url.getScheme())) {
            findings.add(Finding.fine("the service sees that clients come over " + url.getScheme()));
        } else {
            findings.add(Finding.wrong(
                    "the service takes requests to " + url + " for " + seen.text("scheme")
                            + ": X-Forwarded-Proto is not set, or not by one of TRUSTED_PROXIES (the peer is "
                            + seen.text("peer") + ")",
                    "export TRUSTED_PROXIES=" + seen.text("peer")
                            + "   # and in nginx: proxy_set_header X-Forwarded-Proto $scheme;"));
        }
        if (seen.text("host").equalsIgnoreCase(url.getHost())) {
            findings.add(Finding.fine("the service sees the host that clients ask for"));
        } else {
            findings.add(Finding.wrong(
                    "the service takes requests to " + url.getHost() + " for " + seen.text("host"),
                    "proxy_set_header Host $host;   # nginx"));
        }
        return findings;
    }
}
