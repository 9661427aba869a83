// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.base.sql.StorageException;
import dev.porchlight.passkey.ChallengeKeeper.Issued;
import dev.porchlight.passkey.verify.Purpose;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A sealed challenge is accepted exactly as issued, for its user only. */
class SealedChallengesTest {
    private static final Base64.Encoder BASE64URL = Base64.getUrlEncoder().withoutPadding();
    private static final byte[] KEY = "the key of today, thirty-two byt".getBytes(UTF_8);
    private static final byte[] OTHER = "another key of thirty-two bytes.".getBytes(UTF_8);
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final long LATER = NOW.toEpochMilli() + 300_000;

    private final SealedChallenges sealed = sealed("example.com", KEY);
    private final String challenge = sealed.issue("alice", Purpose.AUTHENTICATION, LATER);

    @ParameterizedTest
    @EnumSource
    void a_challenge_keeps_its_expiry_and_purpose(Purpose purpose) {
        String issued = sealed.issue("alice", purpose, LATER);

        Issued received = sealed.take("alice", issued, NOW);

        assertThat(received.challenge().challenge()).isEqualTo(issued);
        assertThat(received.challenge().expiresAt()).isEqualTo(LATER);
        assertThat(received.toUse().expiresAt()).isEqualTo(LATER);
        assertThat(Purpose.of(issued)).isEqualTo(purpose);
    }

    @Test
    void a_challenge_has_42_bytes_in_56_characters_and_at_least_128_random_bits() {
        byte[] bytes = decoded(challenge);

        assertThat(challenge).hasSize(56).startsWith("get_").matches("[A-Za-z0-9_-]+");
        assertThat(bytes).hasSize(42);
        assertThat(bytes[3]).as("version").isEqualTo((byte) 1);
        assertThat(HexFormat.of().formatHex(bytes, 4, 10))
                .isEqualTo(HexFormat.of().toHexDigits(LATER, 12));
        assertThat(sealed.take("alice", challenge, NOW).toUse().id())
                .as("the id is the random part")
                .isEqualTo(BASE64URL.encodeToString(Arrays.copyOfRange(bytes, 10, 26)));
    }

    /** Computed with another implementation of HMAC. A change of the format needs a new version. */
    @Test
    void the_format_is_stable() {
        var sevens = new SecureRandom() {
            private static final long serialVersionUID = 1L;

            @Override
            public void nextBytes(byte[] bytes) {
                Arrays.fill(bytes, (byte) 7);
            }
        };
        var fixed = new SealedChallenges(() -> List.of(KEY), "example.com", sevens);

        assertThat(fixed.issue("alice", Purpose.AUTHENTICATION, LATER))
                .isEqualTo("get_AQGbeXJp4AcHBwcHBwcHBwcHBwcHBwccDPvxZ0GewmdbUswwrLVm");
        assertThat(fixed.issue(null, Purpose.DISCOVERY, LATER))
                .isEqualTo("any_AQGbeXJp4AcHBwcHBwcHBwcHBwcHBwc-HRQt5p_xqHuChyMAGTR8");
    }

    @Test
    void no_two_challenges_are_the_same() {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            String issued = sealed.issue("alice", Purpose.AUTHENTICATION, LATER);
            assertThat(ids.add(sealed.take("alice", issued, NOW).toUse().id())).isTrue();
        }
    }

    @Test
    void a_challenge_with_any_bit_flipped_is_refused() {
        for (int bit = 0; bit < 42 * 8; bit++) {
            byte[] bytes = decoded(challenge);
            bytes[bit / 8] ^= (byte) (1 << bit % 8);

            assertThat(sealed.take("alice", BASE64URL.encodeToString(bytes), NOW))
                    .as("bit %d", bit)
                    .isNull();
        }
    }

    @Test
    void the_purpose_of_a_challenge_cannot_be_changed() {
        for (Purpose purpose : Purpose.values()) {
            byte[] bytes = decoded(challenge);
            System.arraycopy(purpose.prefixBytes(), 0, bytes, 0, 3);

            assertThat(sealed.take("alice", BASE64URL.encodeToString(bytes), NOW) != null)
                    .isEqualTo(purpose == Purpose.AUTHENTICATION);
        }
    }

    @Test
    void a_challenge_is_bound_to_its_user() {
        for (String user : new String[] {"bob", "Alice", "alice ", "alic", "", null}) {
            assertThat(sealed.take(user, challenge, NOW)).as("user %s", user).isNull();
        }
        assertThat(sealed.take("alice", challenge, NOW)).isNotNull();
    }

    @Test
    void a_usernameless_challenge_is_refused_for_a_user() {
        String usernameless = sealed.issue(null, Purpose.DISCOVERY, LATER);

        assertThat(sealed.take(null, usernameless, NOW)).isNotNull();
        for (String user : List.of("", "alice", "null", "\uffff\uffff")) {
            assertThat(sealed.take(user, usernameless, NOW)).isNull();
        }
    }

    @Test
    void a_challenge_is_bound_to_its_relying_party() {
        for (String rpId : List.of("example.org", "login.example.com", "com", "EXAMPLE.COM")) {
            assertThat(sealed(rpId, KEY).take("alice", challenge, NOW)).isNull();
        }
        assertThat(sealed("example.com", KEY).take("alice", challenge, NOW)).isNotNull();
    }

    /** Without lengths in the encoding, these inputs would be the same. */
    @Test
    void the_boundary_between_relying_party_and_user_is_sealed() {
        String issued = sealed("example.co", KEY).issue("malice", Purpose.AUTHENTICATION, LATER);

        assertThat(sealed("example.com", KEY).take("alice", issued, NOW)).isNull();
    }

    @Test
    void a_challenge_sealed_with_another_key_is_refused() {
        assertThat(sealed("example.com", OTHER).take("alice", challenge, NOW)).isNull();
    }

    @Test
    void a_previous_key_is_accepted_but_not_used_for_new_challenges() {
        SealedChallenges rotated =
                sealed("example.com", OTHER, "a key of years ago, 32 bytes long".getBytes(UTF_8), KEY);

        assertThat(rotated.take("alice", challenge, NOW)).isNotNull();
        String fresh = rotated.issue("alice", Purpose.AUTHENTICATION, LATER);
        assertThat(sealed.take("alice", fresh, NOW)).isNull();
        assertThat(sealed("example.com", OTHER).take("alice", fresh, NOW)).isNotNull();
    }

    @Test
    void other_encodings_of_the_same_bytes_are_refused() {
        String standard = challenge.replace('-', '+').replace('_', '/');
        assertThat(decoded(challenge)).isEqualTo(Base64.getDecoder().decode(standard));
        String last = challenge.substring(0, 55);

        for (String spelling : List.of(
                standard,
                challenge + "=",
                challenge + "==",
                challenge + "\n",
                " " + challenge,
                challenge + "A",
                challenge + "AAAA",
                last,
                last + "=",
                challenge.substring(0, 54) + "==",
                challenge.substring(0, 28) + "\n" + challenge.substring(28),
                challenge.toUpperCase(java.util.Locale.ROOT),
                "get_" + challenge,
                "")) {
            assertThat(sealed.take("alice", spelling, NOW)).as(spelling).isNull();
        }
    }

    @Test
    void another_last_character_is_another_challenge() {
        for (char c : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".toCharArray()) {
            String spelling = challenge.substring(0, 55) + c;

            assertThat(sealed.take("alice", spelling, NOW) != null).isEqualTo(spelling.equals(challenge));
        }
    }

    @Test
    void an_expired_challenge_is_recognized_and_not_remembered() {
        Issued late = sealed.take("alice", challenge, Instant.ofEpochMilli(LATER));

        assertThat(late.challenge().expiresAt()).isEqualTo(LATER);
        assertThat(late.toUse()).isNull();
        assertThat(sealed.take("alice", challenge, Instant.ofEpochMilli(LATER - 1))
                        .toUse())
                .isNotNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 0xffff_ffffL, 0x1_0000_0000L, 0x8000_0000L, (1L << 47) - 1, 1L << 47, (1L << 48) - 1})
    void every_expiry_of_six_bytes_is_preserved(long expiresAt) {
        String issued = sealed.issue("alice", Purpose.AUTHENTICATION, expiresAt);

        assertThat(sealed.take("alice", issued, Instant.ofEpochMilli(expiresAt))
                        .challenge()
                        .expiresAt())
                .isEqualTo(expiresAt);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, 1L << 48, Long.MAX_VALUE})
    void an_expiry_beyond_six_bytes_is_refused(long expiresAt) {
        assertThatThrownBy(() -> sealed.issue("alice", Purpose.AUTHENTICATION, expiresAt))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_challenge_from_a_clock_far_ahead_is_refused() {
        long longest = NOW.toEpochMilli() + 70 * 60_000;

        assertThat(sealed.take("alice", sealed.issue("alice", Purpose.AUTHENTICATION, longest), NOW))
                .isNotNull();
        assertThat(sealed.take("alice", sealed.issue("alice", Purpose.AUTHENTICATION, longest + 1), NOW))
                .isNull();
    }

    @Test
    void secrets_are_loaded_on_first_use_and_retried_after_a_failure() {
        var asked = new AtomicInteger();
        var lazy = new SealedChallenges(
                () -> {
                    if (asked.incrementAndGet() == 1) {
                        throw new StorageException("not yet");
                    }
                    return List.of(KEY);
                },
                "example.com",
                new SecureRandom());
        assertThat(asked).hasValue(0);

        assertThatThrownBy(() -> lazy.take("alice", challenge, NOW)).isInstanceOf(StorageException.class);
        assertThat(lazy.take("alice", challenge, NOW)).isNotNull();
        assertThat(lazy.take("alice", challenge, NOW)).isNotNull();
        assertThat(asked).hasValue(2);
    }

    private static SealedChallenges sealed(String rpId, byte[]... keys) {
        return new SealedChallenges(() -> List.of(keys), rpId, new SecureRandom());
    }

    private static byte[] decoded(String text) {
        return Base64.getUrlDecoder().decode(text);
    }
}
