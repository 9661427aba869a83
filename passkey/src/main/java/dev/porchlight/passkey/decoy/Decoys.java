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
import org.jspecify.annotations.Nullable;

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
    private static final int SAMPLES = 8;
    private static final int SAMPLE_BYTES = 6;

    /** A passkey that does not exist. */
    public record Decoy(Bytes id, String kind) {
        public List<String> transports() {
            return DecoyTable.transports(kind);
        }
    }

    public List<Decoy> of(String userId) {
        return draw(userId, tables.current());
    }

    /** Returns the algorithm of a decoy of this user, or of an id that does not exist. */
    public CredentialAlgorithm algorithm(@Nullable String userId, Bytes credentialId) {
        DecoyTable table = tables.current();
        if (!table.hasSeveralAlgorithms()) {
            return CredentialAlgorithm.ES256;
        }
        int slot = derive(macs.get(), credentialId.base64Url(), "algorithm", 1).at(0);
        String kind = table.kinds().at(slot);
        for (Decoy decoy : userId == null ? List.<Decoy>of() : draw(userId, table)) {
            kind = decoy.id.equals(credentialId) ? decoy.kind : kind;
        }
        return DecoyTable.algorithm(kind);
    }

    private List<Decoy> draw(String userId, DecoyTable table) {
        Mac mac = macs.get();
        Bytes draws = derive(mac, userId, "draws", DRAWN_AT_ONCE);
        int count = Math.min(most, Integer.parseInt(table.counts().at(draws.at(0))));
        if (count >= draws.size()) {
            draws = derive(mac, userId, "draws", count + 1);
        }
        List<Decoy> decoys = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            String kind = table.kinds().at(draws.at(i));
            Bytes id = derive(mac, userId, i + ":" + kind, DecoyTable.idBytes(kind));
            decoys.add(new Decoy(id, kind));
        }
        return decoys;
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
