// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.base.Bytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Generates passkeys for users without any, so that login options do not reveal which accounts exist.
 *
 * <p>They are a keyed function of the user id: stable, different for each user, and indistinguishable from random ids without
 * the key. Their number, their lengths and their transports are drawn from a table that follows the
 * passkeys of this deployment. A passkey whose kind changes with the table has another id, as a new one would. Thread-safe.
 */
record Decoys(Lazy<SecretKeySpec> key, DecoyTables tables, int most) {
    private static final int DRAWN_AT_ONCE = 32;
    private static final int SAMPLES = 8;
    private static final int SAMPLE_BYTES = 6;

    List<CredentialDescriptor> of(String userId) {
        DecoyTable table = tables.current();
        Mac mac = Hmac.with(key.get());
        Bytes draws = derive(mac, userId, "draws", DRAWN_AT_ONCE);
        int count = Math.min(most, Integer.parseInt(table.counts().at(draws.at(0))));
        if (count >= draws.size()) {
            draws = derive(mac, userId, "draws", count + 1);
        }
        List<CredentialDescriptor> decoys = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            String kind = table.kinds().at(draws.at(i));
            Bytes id = derive(mac, userId, i + ":" + kind, DecoyTable.idBytes(kind));
            decoys.add(new CredentialDescriptor(id.base64Url(), DecoyTable.transports(kind)));
        }
        return decoys;
    }

    void registered() {
        tables.registered();
    }

    void refresh() {
        tables.refresh();
    }

    /** Returns the ids at which samples of the stored passkeys begin: secret, and the same for all instances. */
    static List<String> startingIds(SecretKeySpec key) {
        Mac mac = Hmac.with(key);
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < SAMPLES; i++) {
            ids.add(derive(mac, "", "sample" + i, SAMPLE_BYTES).base64Url());
        }
        return ids;
    }

    private static Bytes derive(Mac mac, String userId, String label, int length) {
        byte[] labelled = label.getBytes(US_ASCII);
        Bytes derived = Bytes.EMPTY;
        for (int block = 0; derived.size() < length; block++) {
            mac.update(
                    ByteBuffer.allocate(8).putInt(labelled.length).putInt(block).array());
            mac.update(labelled);
            derived = derived.concat(Bytes.copyOf(mac.doFinal(userId.getBytes(UTF_8))));
        }
        return derived.slice(0, length);
    }
}
