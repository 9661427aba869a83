// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.sql.Sql;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What goes wrong between one application and the service, and the refusals that the service logs. */
final class ClientFaults {
    private static final Pattern REFUSAL =
            Pattern.compile("\"endpoint\":\"(\\w+)\",\"client\":\"([^\"]*)\",\"reason\":\"(\\w+)\"");

    private final Site site;
    private final Browser browser;
    private final String clientId;
    private final String redirectUri;
    private int read;

    ClientFaults(Site site, Browser browser, String clientId, String redirectUri) {
        this.site = site;
        this.browser = browser;
        this.clientId = clientId;
        this.redirectUri = redirectUri;
        this.read = site.logs().length();
    }

    /** Returns the last address with a code that the application was opened at, from its log. */
    String lastCallback(RelyingParty application) throws IOException {
        URI uri = URI.create(redirectUri);
        Matcher found = Pattern.compile(Pattern.quote(uri.getPath()) + "\\?[^\\s\"]*\\bcode=[^\\s\"]+")
                .matcher(application.log());
        String callback = "";
        while (found.find()) {
            callback = uri.resolve(found.group()).toString();
        }
        assertThat(callback).contains("state=");
        return callback;
    }

    /** Runs a part of a test while no client has this id. */
    void whileUnregistered(Runnable part) {
        String rename = "UPDATE porchlight_client SET client_id = ? WHERE client_id = ?";
        site.updateDatabase(sql -> sql.update(rename, "other", clientId));
        try {
            part.run();
        } finally {
            site.updateDatabase(sql -> sql.update(rename, clientId, "other"));
        }
    }

    /** Runs a part of a test while another redirect URI is registered. */
    void whileMoved(Runnable part) {
        site.runCommand("clients", "change", clientId, "--redirect-uri", "https://other.example/callback");
        try {
            part.run();
        } finally {
            site.runCommand("clients", "change", clientId, "--redirect-uri", redirectUri);
        }
    }

    /** Runs a part of a test while the service has another secret than the application. */
    void whileSecretIsWrong(Runnable part) {
        List<String> hash = new ArrayList<>();
        site.updateDatabase(sql -> hash.add(Sql.first(sql.query(
                "SELECT secret_hash FROM porchlight_client WHERE client_id = ?", row -> row.getString(1), clientId))));
        site.runCommand("clients", "rotate-secret", clientId);
        try {
            part.run();
        } finally {
            String restore = "UPDATE porchlight_client SET secret_hash = ? WHERE client_id = ?";
            site.updateDatabase(sql -> sql.update(restore, hash.get(0), clientId));
        }
    }

    /** Runs a part of a test while the service's clock is ahead of the application's, or behind if negative. */
    void whileClockIsAhead(Duration time, Runnable part) {
        site.setClockAhead(time);
        try {
            part.run();
        } finally {
            site.setClockAhead(Duration.ZERO);
        }
    }

    /** Checks the refusals since the last check: endpoint and code. */
    void assertRefused(String... expected) {
        browser.eventually(() -> assertThat(refusals()).containsExactly(expected));
        read = site.logs().length();
    }

    private List<String> refusals() {
        List<String> found = new ArrayList<>();
        Matcher refusal = REFUSAL.matcher(site.logs().substring(read));
        while (refusal.find()) {
            assertThat(refusal.group(2)).isEqualTo(clientId);
            found.add(refusal.group(1) + ' ' + refusal.group(3));
        }
        return found;
    }
}
