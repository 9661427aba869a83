// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.server.config.Settings;
import dev.porchlight.server.storage.RedisUrl.Kind;
import dev.porchlight.server.storage.RedisUrl.Node;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisUrlTest {
    @Test
    void a_host_is_enough() {
        assertThat(RedisUrl.parse("redis://cache"))
                .isEqualTo(new RedisUrl(Kind.SERVER, false, List.of(new Node("cache", 6379)), null, null, 0, null));
    }

    @Test
    void a_server_may_have_a_port_a_user_a_password_a_database_and_tls() {
        assertThat(RedisUrl.parse("rediss://al%40ice:p%3Aw%2F%40+%25:x@cache.example.com:6380/3"))
                .isEqualTo(new RedisUrl(
                        Kind.SERVER,
                        true,
                        List.of(new Node("cache.example.com", 6380)),
                        "al@ice",
                        "p:w/@+%:x",
                        3,
                        null));
        assertThat(RedisUrl.parse("redis://:hush@[::1]:7/"))
                .isEqualTo(new RedisUrl(Kind.SERVER, false, List.of(new Node("::1", 7)), null, "hush", 0, null));
    }

    @Test
    void a_cluster_has_nodes() {
        assertThat(RedisUrl.parse("rediss+cluster://:hush@n1:7000,n2"))
                .isEqualTo(new RedisUrl(
                        Kind.CLUSTER,
                        true,
                        List.of(new Node("n1", 7000), new Node("n2", 6379)),
                        null,
                        "hush",
                        0,
                        null));
    }

    @Test
    void sentinels_know_the_server_by_a_name() {
        assertThat(RedisUrl.parse("redis+sentinel://u:hush@s1,s2:26380/main-1/2"))
                .isEqualTo(new RedisUrl(
                        Kind.SENTINEL,
                        false,
                        List.of(new Node("s1", 26379), new Node("s2", 26380)),
                        "u",
                        "hush",
                        2,
                        "main-1"));
    }

    @ParameterizedTest
    @CsvSource({
        "cache:6379, must be redis://",
        "http://cache, must be redis://",
        "redis+proxy://cache, must be redis://",
        "redis://, names a host that is none",
        "redis://:hush@, names a host that is none",
        "redis://cache:0, names a host that is none",
        "redis://cache:65536, names a host that is none",
        "redis://cache:hush, names a host that is none",
        "redis://u:hu/sh@cache:x, names a host that is none",
        "redis://cache?ssl=true, names a host that is none",
        "redis://hush@cache, has no password",
        "redis://hush:@cache, has no password",
        "redis://:hu%sh@cache, must be written %25",
        "redis://cache/hush, no number of a database",
        "redis://cache/1/hush, no number of a database",
        "redis+cluster://a/1, a cluster has one database",
        "redis+sentinel://a, does not say what the sentinels call",
        "redis+sentinel://a/, does not say what the sentinels call"
    })
    void says_what_is_wrong_and_not_what_may_be_secret(String url, String wrong) {
        assertThatThrownBy(() -> RedisUrl.parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(wrong)
                .hasMessageNotContaining("hush")
                .hasMessageNotContaining("sh@");
    }

    @Test
    void several_servers_must_be_something_to_each_other() {
        assertThatThrownBy(() -> RedisUrl.parse("redis://a,b")).hasMessageContaining("redis+cluster://");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://u:hush@cache:6379/1",
                "rediss+cluster://:hu@sh:hush@a:1,b:2",
                "redis+sentinel://:hush@a:1/main/1",
                "redis://hush@cache",
                "redis://u:hu/sh@cache:hu"
            })
    void shows_no_password(String url) {
        assertThat(Settings.REDIS_URL.display(url)).doesNotContain("hush").startsWith("redis");
        if (!url.contains("hu/sh") && !url.contains("//hush")) {
            assertThat(RedisUrl.parse(url)).asString().doesNotContain("hush", "u:");
        }
    }

    @Test
    void is_shown_as_it_could_be_written() {
        for (String url : List.of("redis://[::1]:7/2", "rediss+cluster://a:1,b:2", "redis+sentinel://a:1/main/2")) {
            assertThat(RedisUrl.parse(url)).asString().isEqualTo(url);
        }
    }
}
