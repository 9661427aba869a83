// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.explain;

import dev.porchlight.base.Bytes;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.data.AuthenticatorData;
import dev.porchlight.passkey.data.CollectedClientData;
import java.util.ArrayList;
import java.util.List;

/** Finds the name behind a relying party id's hash: usually the one that is set, or one that the page could have asked for. */
final class RelyingPartyNames {
    private static final int MOST_PARENTS = 10;
    private static final int SHOWN_DIGITS = 12;

    private RelyingPartyNames() {}

    static String of(AuthenticatorData data, PasskeyConfig config, CollectedClientData client) {
        List<String> names = new ArrayList<>(List.of(config.rpId()));
        String host = client.origin().replaceFirst("^[a-z]+://", "").replaceFirst("[:/].*$", "");
        for (int i = 0; i < MOST_PARENTS && !host.isEmpty(); i++) {
            names.add(host);
            host = host.contains(".") ? host.substring(host.indexOf('.') + 1) : "";
        }
        return names.stream()
                .filter(name -> Bytes.ofUtf8(name).sha256().equals(data.rpIdHash()))
                .findFirst()
                .map(name -> "the hash of " + Shown.text(name))
                .orElseGet(() ->
                        "the hash of another name: " + data.rpIdHash().hex().substring(0, SHOWN_DIGITS) + '…');
    }
}
