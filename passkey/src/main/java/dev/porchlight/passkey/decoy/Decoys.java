// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.decoy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.base.Bytes;
import dev.porchlight.passkey.CredentialAlgorithm;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import javax.crypto.Mac;

/**
 * Generates passkeys for users without any, so that login options do not reveal which accounts exist.
 *
 * <p>They are a keyed function of the user id: stable, different for each user, and indistinguishable from random ids without
 * the key. Their number, their lengths, their transports and the algorithms of their keys are drawn from a table that
 * follows the passkeys of this deployment. A passkey whose kind changes with the table has another id, as a new one would. Thread-safe.
 *
 * @param macs the calling thread's keyed MAC
 * @param most the largest number per user
 */
public record Decoys(Supplier<Mac> macs, DecoyTables tables, int most) {
    private static final int DRAWN_AT_ONCE = 32;
    private static final int MOST_DRAWS = 4_096;
    private static final int SAMPLES = 8;
    private static final int SAMPLE_BYTES = 6;

    /** A passkey that does not exist. */
    public record Decoy(Bytes id, String kind) {
        public List<String> transports() {
            return DecoyTable.transports(kind);
        }
    }

    public List<Decoy> of(String userId) {
        DecoyTable table = tables.current();
        Mac mac = macs.get();
        Bytes draws = derive(mac, userId, "draws", DRAWN_AT_ONCE);
        int count = Math.min(most, Integer.parseInt(table.counts().at(draws.at(0))));
        if (count >= draws.size()) {
            draws = derive(mac, userId, "draws", count + 1);
        }
        List<Decoy> decoys = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            String kind = table.kinds().at(draws.at(i));
            decoys.add(new Decoy(id(mac, userId, i, kind, table), kind));
        }
        return decoys;
    }

    /** Draws ids until one has the algorithm of its kind: on average as often as there are algorithms. */
    private static Bytes id(Mac mac, String userId, int position, String kind, DecoyTable table) {
        Bytes id = Bytes.EMPTY;
        for (int draw = 0; draw < MOST_DRAWS; draw++) {
            id = derive(mac, userId, position + ":" + draw + ":" + kind, DecoyTable.idBytes(kind));
            if (algorithm(mac, id, table) == DecoyTable.algorithm(kind)) {
                return id;
            }
        }
        return id; // only if ids of this length are few
    }

    /**
     * Returns the algorithm of an id that does not exist. It depends on the id alone: with any user name, or none, the same id
     * is refused in the same time, as that of a stored passkey is.
     */
    public CredentialAlgorithm algorithm(Bytes credentialId) {
        return algorithm(macs.get(), credentialId, tables.current());
    }

    private static CredentialAlgorithm algorithm(Mac mac, Bytes id, DecoyTable table) {
        return table.hasSeveralAlgorithms()
                ? DecoyTable.algorithm(table.kinds()
                        .at(derive(mac, id.base64Url(), "algorithm", 1).at(0)))
                : CredentialAlgorithm.ES256;
    }

    public void registered(String credentialId) {
        tables.registered(credentialId);
    }

    public void refresh() {
        tables.refresh();
    }

    public void close() {
        tables.close();
    }

    /** Returns the ids at which samples of the stored passkeys begin: secret, and the same for all instances. */
    public static List<String> startingIds(Mac mac) {
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
