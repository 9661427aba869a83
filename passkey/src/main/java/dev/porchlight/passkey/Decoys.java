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
 * Passkeys for users who have none, so that asking for options does not tell who has an account.
 *
 * <p>They are a keyed function of the user id: the same each time, different for each user, and not to be told from
 * random ids without the key. Their number, their lengths and their transports are drawn from a table that follows the
 * passkeys of this deployment. A passkey whose kind changes with the table has another id, as a new one would. Thread-safe.
 */
final class Decoys {
    private static final int DRAWN_AT_ONCE = 32;
    private static final int SAMPLES = 8;
    private static final int SAMPLE_BYTES = 6;

    private final Lazy<SecretKeySpec> key;
    private final DecoyTables tables;
    private final int most;

    /**
     * @param key asked for when it is first needed
     * @param most how many passkeys options show
     */
    Decoys(Lazy<SecretKeySpec> key, DecoyTables tables, int most) {
        this.key = key;
        this.tables = tables;
        this.most = most;
    }

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

    /** A passkey was registered, whose shape decoys may not have yet. */
    void registered() {
        tables.registered();
    }

    /** Looks at the stored passkeys if that is due. */
    void refresh() {
        tables.refresh();
    }

    /** Where samples of the stored passkeys begin: not for strangers to know, and the same for all instances. */
    static List<String> startingIds(SecretKeySpec key) {
        Mac mac = Hmac.with(key);
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < SAMPLES; i++) {
            ids.add(derive(mac, "", "sample" + i, SAMPLE_BYTES).base64Url());
        }
        return ids;
    }

    /** So many bytes that belong to this user and this label. */
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
