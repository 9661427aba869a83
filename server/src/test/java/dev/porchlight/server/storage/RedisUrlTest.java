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
    void sentinels_need_a_master_name() {
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
        "redis://, has an invalid host",
        "redis://:hush@, has an invalid host",
        "redis://cache:0, has an invalid host",
        "redis://cache:65536, has an invalid host",
        "redis://cache:hush, has an invalid host",
        "redis://u:hu/sh@cache:x, has an invalid host",
        "redis://cache?ssl=true, has an invalid host",
        "redis://hush@cache, has no password",
        "redis://hush:@cache, has no password",
        "redis://:hu%sh@cache, must be written %25",
        "redis://cache/hush, invalid database number",
        "redis://cache/1/hush, invalid database number",
        "redis+cluster://a/1, a cluster has only one database",
        "redis+sentinel://a, has no master name",
        "redis+sentinel://a/, has no master name"
    })
    void faults_are_reported_without_secrets(String url, String wrong) {
        assertThatThrownBy(() -> RedisUrl.parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(wrong)
                .hasMessageNotContaining("hush")
                .hasMessageNotContaining("sh@");
    }

    @Test
    void several_servers_need_cluster_or_sentinel() {
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
    void the_text_contains_no_password(String url) {
        assertThat(Settings.REDIS_URL.display(url)).doesNotContain("hush").startsWith("redis");
        if (!url.contains("hu/sh") && !url.contains("//hush")) {
            assertThat(RedisUrl.parse(url)).asString().doesNotContain("hush", "u:");
        }
    }

    @Test
    void the_text_is_a_valid_url() {
        for (String url : List.of("redis://[::1]:7/2", "rediss+cluster://a:1,b:2", "redis+sentinel://a:1/main/2")) {
            assertThat(RedisUrl.parse(url)).asString().isEqualTo(url);
        }
    }
}
