// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Comparator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShortestDoubleTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0.0, -0",
        "1, 1",
        "-1.5, -1.5",
        "0.005, 0.005",
        "10, 10",
        "0.1, 0.1",
        "0.0001, 0.0001",
        "0.00001, 1e-05",
        "0.00012345, 0.00012345",
        "0.000012345, 1.2345e-05",
        "100000, 100000",
        "123456.75, 123456.75",
        "1000000, 1e+06",
        "1234567.5, 1.2345675e+06",
        "1e23, 1e+23",
        "2e-3, 0.002",
        "9007199254740993, 9.007199254740992e+15",
        "2.2250738585072014e-308, 2.2250738585072014e-308",
        "4.9e-324, 5e-324",
        "9.9e-324, 1e-323",
        "1.7976931348623157e308, 1.7976931348623157e+308",
        "5.684341886080802e-14, 5.684341886080802e-14",
        "0.30000000000000004, 0.30000000000000004",
        "577014386366.34375, 5.770143863663438e+11",
        "NaN, NaN",
        "Infinity, +Inf",
        "-Infinity, -Inf"
    })
    void numbers_are_formatted_as_in_go(double value, String text) {
        assertThat(write(value)).isEqualTo(text);
    }

    @Property(tries = 2000)
    void every_double_round_trips_and_no_shorter_text_does(@ForAll("everyFiniteDouble") double value) {
        String text = write(value);
        assertThat(Double.parseDouble(text)).isEqualTo(value);
        assertThat(digits(text)).isEqualTo(fewestDigits(value));
        assertThat(new BigDecimal(text)).isEqualByComparingTo(nearest(value, digits(text)));
    }

    @Property(tries = 1000)
    void a_short_decimal_is_written_unchanged(@ForAll("typed") double value) {
        assertThat(digits(write(value))).isEqualTo(fewestDigits(value));
    }

    @Test
    void every_power_of_two_is_shortest_despite_uneven_neighbors() {
        IntStream.rangeClosed(-1074, 1023).forEach(exponent -> {
            double value = Math.scalb(1.0, exponent);
            assertThat(Double.parseDouble(write(value))).isEqualTo(value);
            assertThat(digits(write(value))).as("2^%d", exponent).isEqualTo(fewestDigits(value));
        });
    }

    @Provide
    Arbitrary<Double> everyFiniteDouble() {
        return Arbitraries.longs().map(Double::longBitsToDouble).filter(value -> Double.isFinite(value) && value != 0);
    }

    @Provide
    Arbitrary<Double> typed() {
        return Arbitraries.integers()
                .between(1, 99_999_999)
                .flatMap(digits ->
                        Arbitraries.integers().between(-12, 6).map(power -> Double.parseDouble(digits + "e" + power)));
    }

    private static String write(double value) {
        return ShortestDouble.write(new WireBuffer(0), value).toString();
    }

    private static int digits(String text) {
        return new BigDecimal(text).stripTrailingZeros().precision();
    }

    /** Tries every precision upwards, rounding down and up: at powers of two the nearer decimal may not round-trip. */
    private static int fewestDigits(double value) {
        BigDecimal exact = new BigDecimal(value);
        return IntStream.rangeClosed(1, 17)
                .filter(precision -> readsBack(exact, precision, RoundingMode.DOWN, value)
                        || readsBack(exact, precision, RoundingMode.UP, value))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the decimal of that length that round-trips and is closest to the double; the even one on a tie. */
    private static BigDecimal nearest(double value, int precision) {
        BigDecimal exact = new BigDecimal(value);
        return Stream.of(RoundingMode.HALF_EVEN, RoundingMode.DOWN, RoundingMode.UP)
                .filter(mode -> readsBack(exact, precision, mode, value))
                .map(mode -> exact.round(new MathContext(precision, mode)))
                .min(Comparator.comparing(decimal -> decimal.subtract(exact).abs()))
                .orElseThrow();
    }

    private static boolean readsBack(BigDecimal exact, int precision, RoundingMode mode, double value) {
        return exact.round(new MathContext(precision, mode)).doubleValue() == value;
    }
}
