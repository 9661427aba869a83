// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class CborPropertiesTest {
    @Property
    void encoded_values_survive_a_round_trip(@ForAll("values") CborValue value) throws MalformedException {
        CborValue read = CborReader.read(CborEncoder.encode(value), "value");
        assertThat(read).isEqualTo(value).hasSameHashCodeAs(value);
    }

    @Property
    void arbitrary_bytes_are_parsed_or_malformed(@ForAll @Size(max = 64) byte[] noise) {
        readOrRefuse(Bytes.copyOf(noise));
    }

    @Property
    void every_value_has_one_encoding(
            @ForAll("values") CborValue value, @ForAll @IntRange(max = 10_000) int place, @ForAll byte change) {
        byte[] encoded = CborEncoder.encode(value).toByteArray();
        encoded[place % encoded.length] = change;
        readOrRefuse(Bytes.copyOf(encoded));
    }

    @Property
    void a_truncated_item_is_refused(@ForAll("values") CborValue value, @ForAll @IntRange(max = 10_000) int cut) {
        Bytes encoded = CborEncoder.encode(value);
        Bytes start = encoded.slice(0, cut % encoded.size());
        try {
            CborReader.read(start, "value");
        } catch (MalformedException refused) {
            return;
        }
        throw new AssertionError("read from its first " + start.size() + " bytes");
    }

    private static void readOrRefuse(Bytes bytes) {
        try {
            assertThat(CborEncoder.encode(CborReader.read(bytes, "value"))).isEqualTo(bytes);
        } catch (MalformedException refused) {
            assertThat(refused.part()).isEqualTo("value");
        }
    }

    @Provide
    Arbitrary<CborValue> values() {
        return values(4);
    }

    private static Arbitrary<CborValue> values(int depth) {
        Arbitrary<CborValue> leaves = Arbitraries.oneOf(
                keys(), Arbitraries.of(true, false).map(CborValue.Bool::new), Arbitraries.just(new CborValue.Null()));
        if (depth == 0) {
            return leaves;
        }
        Arbitrary<CborValue> inner = Arbitraries.lazy(() -> values(depth - 1));
        Arbitrary<CborValue> arrays = inner.list().ofMaxSize(4).map(CborValue.Array::new);
        Arbitrary<CborValue> maps = keys().list()
                .uniqueElements()
                .ofMaxSize(4)
                .flatMap(keys -> inner.list().ofSize(keys.size()).map(values -> map(keys, values)));
        return Arbitraries.frequencyOf(
                net.jqwik.api.Tuple.of(3, leaves), net.jqwik.api.Tuple.of(1, arrays), net.jqwik.api.Tuple.of(1, maps));
    }

    private static CborValue map(List<CborValue> keys, List<CborValue> values) {
        return new CborMap(keys, values);
    }

    private static Arbitrary<CborValue> keys() {
        return Arbitraries.oneOf(
                Arbitraries.longs().map(CborValue.Int::new),
                Arbitraries.strings()
                        .withCharRange(Character.MIN_VALUE, (char) (Character.MIN_SURROGATE - 1))
                        .withCharRange((char) (Character.MAX_SURROGATE + 1), Character.MAX_VALUE)
                        .ofMaxLength(40)
                        .map(CborValue.Text::new),
                Arbitraries.bytes()
                        .array(byte[].class)
                        .ofMaxSize(300)
                        .map(b -> new CborValue.ByteString(Bytes.copyOf(b))));
    }
}
