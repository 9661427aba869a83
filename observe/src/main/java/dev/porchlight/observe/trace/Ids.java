// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.security.SecureRandom;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Creates unpredictable trace and span ids, lock-free and without allocation.
 *
 * <p>Ids leave the process in headers and log lines. {@link ThreadLocalRandom} alone would be predictable: one of its
 * outputs reveals its state, and with it all later ids of that thread, so that an attacker could send a request that
 * joins another user's future trace, or choose ids that are always sampled. Its numbers are therefore only the input of
 * SipHash-2-4 with a key from {@link SecureRandom} that never leaves this process.
 */
final class Ids {
    private final long key0;
    private final long key1;

    Ids() {
        this(new SecureRandom());
    }

    private Ids(SecureRandom random) {
        this(random.nextLong(), random.nextLong());
    }

    Ids(long key0, long key1) {
        this.key0 = key0;
        this.key1 = key1;
    }

    long next() {
        long id;
        do {
            id = sipHash(ThreadLocalRandom.current().nextLong());
        } while (id == 0);
        return id;
    }

    /**
     * Creates the ids of a new trace and its first span from one hash. The second and third id are derived as
     * SipHash-128 derives its second half, which takes two thirds of the time of three hashes.
     */
    SpanContext trace(Sampler sampler) {
        State state = new State(ThreadLocalRandom.current().nextLong());
        long low = state.squeeze(0xee);
        long high = state.more();
        long span = state.more();
        if (low == 0 || span == 0) {
            return trace(sampler);
        }
        int flags = SpanContext.RANDOM | (sampler.sample(SpanContext.NONE, low) ? SpanContext.SAMPLED : 0);
        return new SpanContext(high, low, span, flags, "", false);
    }

    /** SipHash-2-4 of the eight bytes of {@code message}, read as little-endian. */
    long sipHash(long message) {
        return new State(message).squeeze(0xff);
    }

    /** The state of SipHash. It never escapes, so the compiler keeps it in registers. */
    private final class State {
        private long v0 = key0 ^ 0x736f6d6570736575L;
        private long v1 = key1 ^ 0x646f72616e646f6dL;
        private long v2 = key0 ^ 0x6c7967656e657261L;
        private long v3 = key1 ^ 0x7465646279746573L;

        State(long message) {
            absorb(message);
            absorb(8L << 56); // the final block holds only the message's length
        }

        private void absorb(long block) {
            v3 ^= block;
            twoRounds();
            v0 ^= block;
        }

        long squeeze(int mark) {
            v2 ^= mark;
            twoRounds();
            twoRounds();
            return v0 ^ v1 ^ v2 ^ v3;
        }

        long more() {
            v1 ^= 0xdd;
            twoRounds();
            twoRounds();
            return v0 ^ v1 ^ v2 ^ v3;
        }

        private void twoRounds() {
            round();
            round();
        }

        private void round() {
            v0 += v1;
            v2 += v3;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v1;
            v0 += v3;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 = Long.rotateLeft(v2, 32);
        }
    }
}
