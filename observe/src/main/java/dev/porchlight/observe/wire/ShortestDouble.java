// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.wire;

import java.math.BigInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Doubles in the fewest digits that read back as the same double, laid out as Go's {@code %g} does: {@code 0.0001},
 * {@code 1e-05}, {@code 123456}, {@code 1e+06}, {@code NaN}, {@code +Inf}, {@code -Inf}.
 *
 * <p>{@code Double.toString} formats differently, and before JDK 19 it does not always find the fewest digits
 * (JDK-4511638). The algorithm is Giulietti's Schubfach: the neighbors of {@code x} bound an interval of decimals that
 * round to {@code x}. The largest power of ten narrower than the interval has a multiple inside it. The next larger
 * power has at most one, which is shorter if it exists.
 */
public final class ShortestDouble {
    private static final int FRACTION_BITS = 52;
    private static final long HIDDEN_BIT = 1L << FRACTION_BITS;
    private static final int SMALLEST_EXPONENT = -1074;
    private static final long LOW_63 = Long.MAX_VALUE;

    private static final int SMALLEST_POWER = -324;
    private static final int LARGEST_POWER = 292;
    /** Scaled powers of ten, each computed when first needed: programs typically use a few dozen of the 617. */
    private static final AtomicReferenceArray<long[]> SCALES =
            new AtomicReferenceArray<>(LARGEST_POWER - SMALLEST_POWER + 1);

    private static final long[] POWERS_OF_TEN = new long[19];

    static {
        POWERS_OF_TEN[0] = 1;
        for (int i = 1; i < POWERS_OF_TEN.length; i++) {
            POWERS_OF_TEN[i] = 10 * POWERS_OF_TEN[i - 1];
        }
    }

    private ShortestDouble() {}

    public static WireBuffer write(WireBuffer out, double value) {
        double thousandths = Math.rint(value * 1000);
        if (Math.abs(thousandths) < 1e9 && thousandths / 1000 == value && thousandths != 0) {
            return writeThousandths(out, (long) thousandths);
        }
        if (Double.isNaN(value)) {
            return out.ascii("NaN");
        }
        if (Double.isInfinite(value)) {
            return out.ascii(value > 0 ? "+Inf" : "-Inf");
        }
        long bits = Double.doubleToRawLongBits(value);
        if (bits < 0) {
            out.put('-');
        }
        int biased = (int) (bits >>> FRACTION_BITS) & 0x7ff;
        long fraction = bits & HIDDEN_BIT - 1;
        if (biased == 0) {
            return fraction == 0 ? out.put('0') : search(out, fraction, SMALLEST_EXPONENT, true);
        }
        // Below a power of two, doubles are twice as dense as above it, except at the smallest normal number.
        boolean symmetric = fraction != 0 || biased == 1;
        return search(out, fraction | HIDDEN_BIT, biased - 1 + SMALLEST_EXPONENT, symmetric);
    }

    /** The fast path for most measured values: at most three decimals, without trailing zeros. No two doubles share one. */
    private static WireBuffer writeThousandths(WireBuffer out, long thousandths) {
        if (thousandths < 0) {
            out.put('-');
        }
        long rest = Math.abs(thousandths);
        int fraction = (int) (rest % 1000);
        out.decimal(rest / 1000);
        if (fraction != 0) {
            out.put('.').put('0' + fraction / 100);
        }
        if (fraction % 100 != 0) {
            out.put('0' + fraction / 10 % 10);
        }
        return fraction % 10 == 0 ? out : out.put('0' + fraction % 10);
    }

    /** Writes the shortest decimal for {@code c * 2^q}. All estimates below are kept times four. */
    private static WireBuffer search(WireBuffer out, long c, int q, boolean symmetric) {
        int odd = (int) c & 1; // the interval of an odd significand excludes its bounds
        int k = symmetric ? floorLog10Pow2(q) : floorLog10ThreeQuartersPow2(q);
        int shift = q + floorLog2Pow10(-k) + 2;
        long[] scale = scale(k);
        long middle = scaled(scale, c << 2, shift);
        long lower = scaled(scale, (c << 2) - (symmetric ? 2 : 1), shift);
        long upper = scaled(scale, (c << 2) + 2, shift);

        long below = middle >> 2;
        if (below >= 10) {
            long shorterBelow = below - below % 10;
            boolean belowFits = lower + odd <= shorterBelow << 2;
            boolean aboveFits = (shorterBelow + 10 << 2) + odd <= upper;
            if (belowFits != aboveFits) {
                return format(out, belowFits ? shorterBelow : shorterBelow + 10, k);
            }
        }
        boolean belowFits = lower + odd <= below << 2;
        boolean aboveFits = (below + 1 << 2) + odd <= upper;
        if (belowFits != aboveFits) {
            return format(out, belowFits ? below : below + 1, k);
        }
        long past = middle - (2 * below + 1 << 1);
        boolean down = past < 0 || past == 0 && (below & 1) == 0;
        return format(out, down ? below : below + 1, k);
    }

    /** Formats {@code digits * 10^power}, with an exponent if it is below -4 or above 5. */
    private static WireBuffer format(WireBuffer out, long digits, int power) {
        while (digits % 10 == 0) {
            digits /= 10;
            power++;
        }
        int count = 1;
        while (count < POWERS_OF_TEN.length && digits >= POWERS_OF_TEN[count]) {
            count++;
        }
        int exponent = count - 1 + power;
        if (exponent < -4 || exponent > 5) {
            split(out, digits, count - 1).put('e').put(exponent < 0 ? '-' : '+');
            return out.paddedDecimal(Math.abs(exponent), 2);
        }
        return power >= 0 ? out.decimal(digits * POWERS_OF_TEN[power]) : split(out, digits, -power);
    }

    /** Writes {@code digits} with a decimal point before the last {@code decimals} digits. */
    private static WireBuffer split(WireBuffer out, long digits, int decimals) {
        if (decimals == 0) {
            return out.decimal(digits);
        }
        long unit = decimals < POWERS_OF_TEN.length ? POWERS_OF_TEN[decimals] : Long.MAX_VALUE;
        out.decimal(digits / unit).put('.');
        long rest = digits % unit;
        for (int place = decimals - 1; place > 0; place--) {
            if (place < POWERS_OF_TEN.length && rest >= POWERS_OF_TEN[place]) {
                break;
            }
            out.put('0');
        }
        return out.decimal(rest);
    }

    /** The 126 leading bits of {@code 10^-k}, rounded up, as two halves of 63 bits. */
    private static long[] scale(int k) {
        long[] scale = SCALES.get(k - SMALLEST_POWER);
        if (scale == null) {
            int shift = 125 - floorLog2Pow10(-k);
            BigInteger power = BigInteger.TEN.pow(Math.abs(k));
            BigInteger bits = k > 0 ? BigInteger.ONE.shiftLeft(shift).divide(power) : power.shiftLeft(shift);
            BigInteger rounded = bits.add(BigInteger.ONE);
            scale = new long[] {rounded.shiftRight(63).longValueExact(), rounded.longValue() & LOW_63};
            SCALES.set(k - SMALLEST_POWER, scale);
        }
        return scale;
    }

    /** {@code scale * (value << shift) / 2^127}, rounded to odd so that later comparisons account for the truncated bits. */
    private static long scaled(long[] scale, long value, int shift) {
        long factor = value << shift;
        long cut = (scale[0] * factor >>> 1) + Math.multiplyHigh(scale[1], factor);
        long whole = Math.multiplyHigh(scale[0], factor) + (cut >>> 63);
        return (cut & LOW_63) == 0 ? whole : whole | 1;
    }

    private static int floorLog10Pow2(int e) {
        return (int) (e * 661_971_961_083L >> 41);
    }

    private static int floorLog10ThreeQuartersPow2(int e) {
        return (int) (e * 661_971_961_083L - 274_743_187_321L >> 41);
    }

    private static int floorLog2Pow10(int e) {
        return (int) (e * 913_124_641_741L >> 38);
    }
}
