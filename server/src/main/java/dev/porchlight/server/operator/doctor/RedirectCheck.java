// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.Locale;

/** Whether those who come without TLS are sent to where it is. */
final class RedirectCheck {
    private final Probe probe;

    RedirectCheck(Probe probe) {
        this.probe = probe;
    }

    /** Where a browser asks when a person types http. */
    static URI plain(URI url) {
        String port = url.getPort() < 0 || url.getPort() == 443 ? "" : ":" + url.getPort();
        return URI.create("http://" + url.getHost() + port + "/");
    }

    Finding finding(URI plain) {
        try {
            HttpResponse<String> answer = probe.get(plain);
            String target = answer.headers().firstValue("Location").orElse("");
            return answer.statusCode() / 100 == 3
                            && target.toLowerCase(Locale.ROOT).startsWith("https://")
                    ? Finding.fine(plain + " redirects to https")
                    : Finding.wrong(
                            plain + " answers " + answer.statusCode() + " instead of redirecting to https",
                            "return 308 https://$host$request_uri;   # nginx, in the server block that listens on 80");
        } catch (IOException nobodyThere) {
            return Finding.fine("nobody answers without TLS at " + plain);
        }
    }
}
