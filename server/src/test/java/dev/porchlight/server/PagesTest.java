// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PagesTest {
    private static final Path FILES =
            Path.of(System.getProperty("porchlight.root"), "server/src/main/resources/dev/porchlight/server/web");
    private static final String NAME = "<b>Ada's</b> & \"Co\" {{origin}} $1";

    private static RunningService service;

    @BeforeAll
    static void start() throws Exception {
        service = new RunningService(Map.of("RP_NAME", NAME, "RETURN_URLS", "https://app.example.com/"), routes -> {});
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/account", "/console"})
    void a_page_is_html_with_a_strict_content_security_policy(String path) throws Exception {
        HttpResponse<String> page = service.get(path);
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).startsWith("<!doctype html>").contains("<html lang=\"en\"");
        assertThat(header(page, "Content-Type")).isEqualTo("text/html; charset=utf-8");
        assertThat(header(page, "X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(header(page, "Cache-Control")).isEqualTo("no-cache");
        assertThat(header(page, "Content-Security-Policy"))
                .startsWith("default-src 'none'; script-src 'self'; style-src 'self';")
                .contains(
                        "frame-ancestors 'none'",
                        "base-uri 'none'",
                        "require-trusted-types-for 'script'; trusted-types 'none'")
                .doesNotContain("unsafe");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/account", "/console"})
    void a_page_has_no_inline_script_or_style(String path) throws Exception {
        assertThat(service.get(path).body())
                .doesNotContainPattern(
                        "(?i)<script(?! type=\"application/json\"|[^>]*\\ssrc=)|<style|\\sstyle=|\\son[a-z]+=|javascript:");
    }

    @Test
    void the_service_name_is_escaped() throws Exception {
        assertThat(service.get("/").body())
                .contains("<title>Sign in to &lt;b&gt;Ada&#39;s&lt;/b&gt; &amp; &quot;Co&quot; {{origin}} $1</title>")
                .doesNotContain("<b>Ada");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "|en",
                "de|de",
                "de-CH, fr;q=0.9|de",
                "nl, es-419;q=0.8, en;q=0.5|es",
                "en;q=0.5, DE;q=0.9|de",
                "de;q=0, es;q=0.1|es",
                "nl|en",
                "*|en",
                "not a language;;|en",
                "x-y-z,,,|en"
            })
    void a_page_is_in_the_language_of_the_browser(String accepted, String language) throws Exception {
        for (String path : new String[] {"/", "/account", "/console", "/nowhere"}) {
            HttpResponse<String> page =
                    service.get(path, "Accept", "text/html", "Accept-Language", accepted == null ? "" : accepted);
            assertThat(page.body()).contains("<html lang=\"" + language + "\" dir=\"ltr\">");
            assertThat(header(page, "Content-Language")).isEqualTo(language);
            assertThat(page.headers().allValues("Vary")).contains("Accept-Language");
        }
    }

    @ParameterizedTest
    @CsvSource({"fr-CA, fr, ltr", "ar, ar, rtl"})
    void a_page_has_the_direction_of_its_language(String accepted, String language, String direction) throws Exception {
        for (String path : new String[] {"/", "/account", "/console", "/nowhere"}) {
            assertThat(service.get(path, "Accept", "text/html", "Accept-Language", accepted)
                            .body())
                    .contains("<html lang=\"" + language + "\" dir=\"" + direction + "\">");
        }
    }

    @Test
    void each_language_has_its_own_entity_tag() throws Exception {
        String tag = header(service.get("/", "Accept-Language", "de"), "ETag");

        assertThat(service.get("/", "Accept-Language", "de", "If-None-Match", tag)
                        .statusCode())
                .isEqualTo(304);
        assertThat(service.get("/", "Accept-Language", "es", "If-None-Match", tag)
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void an_oversized_language_header_is_ignored() throws Exception {
        assertThat(header(service.get("/", "Accept-Language", "de,".repeat(500) + "de"), "Content-Language"))
                .isEqualTo("en");
    }

    @Test
    void the_page_contains_the_sign_up_and_login_settings() throws Exception {
        assertThat(service.get("/").body()).contains("data-signup=\"open\"", "data-login=\"session\"");
        try (RunningService other =
                new RunningService(Map.of("SIGNUP", "closed", "LOGIN_RESULT", "token"), routes -> {})) {
            assertThat(other.get("/").body()).contains("data-signup=\"closed\"", "data-login=\"token\"");
        }
    }

    @Test
    void the_sign_in_page_knows_of_a_session_cookie_and_nothing_about_its_user() throws Exception {
        assertThat(service.get("/").body()).contains("data-view=\"sign-in\"");
        assertThat(service.get("/", "Cookie", "porchlight=secret").body())
                .contains("data-view=\"loading\"")
                .doesNotContain("secret");
    }

    @ParameterizedTest
    @CsvSource({
        "/account,allowed",
        "%2Faccount%3Fa%3Db,allowed",
        "https%3A%2F%2Fapp.example.com%2Forders,allowed",
        "//evil.example,none",
        "%2F%5Cevil.example,none",
        "/%09/evil.example,none",
        "https://evil.example/,none",
        "https://app.example.com@evil.example/,none",
        "javascript:alert(1),none",
        "/a&return_to=/b,none"
    })
    void return_to_is_allowed_within_the_origin_and_the_configured_urls(String returnTo, String expected)
            throws Exception {
        HttpResponse<String> page = service.get("/?return_to=" + returnTo);

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains("data-return=\"" + expected + "\"").doesNotContain("evil");
    }

    @Test
    void an_unknown_path_is_html_for_browsers_and_a_problem_for_others() throws Exception {
        HttpResponse<String> page = service.get("/nowhere", "Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
        assertThat(page.statusCode()).isEqualTo(404);
        assertThat(page.body()).startsWith("<!doctype html>").contains("Page not found");
        assertThat(page.headers().allValues("Content-Security-Policy")).hasSize(1);
        assertThat(header(page, "Content-Security-Policy")).startsWith("default-src 'none'; script-src 'self';");
        assertThat(header(page, "Cache-Control")).isEqualTo("no-store");

        HttpResponse<String> problem = service.get("/nowhere", "Accept", "*/*");
        assertThat(problem.statusCode()).isEqualTo(404);
        assertThat(header(problem, "Content-Type")).startsWith("application/problem+json");
        assertThat(service.send("POST", "/nowhere").statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/assets/porchlight.css", "/porchlight.js"})
    void a_cached_file_gets_304(String path) throws Exception {
        HttpResponse<String> first = service.get(path);
        String tag = header(first, "ETag");
        assertThat(tag).matches("\"[0-9a-f]{32}\"");
        for (String condition : new String[] {tag, "W/" + tag, "\"other\", " + tag, "*"}) {
            HttpResponse<String> again = service.get(path, "If-None-Match", condition);
            assertThat(again.statusCode()).as(condition).isEqualTo(304);
            assertThat(again.body()).isEmpty();
            assertThat(header(again, "ETag")).isEqualTo(tag);
            // browsers replace cached headers with those of a 304
            assertThat(header(again, "Content-Security-Policy")).isEqualTo(header(first, "Content-Security-Policy"));
        }
        assertThat(service.get(path, "If-None-Match", "\"other\"").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/assets/porchlight.css", "/porchlight.js"})
    void a_file_is_compressed_if_accepted(String path) throws Exception {
        HttpResponse<String> plain = service.get(path);
        HttpResponse<byte[]> zipped = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(service.uri(path))
                                .header("Accept-Encoding", "gzip, deflate, br")
                                .build(),
                        HttpResponse.BodyHandlers.ofByteArray());
        assertThat(header(zipped, "Content-Encoding")).isEqualTo("gzip");
        assertThat(zipped.headers().allValues("Vary")).contains("Accept-Encoding");
        assertThat(plain.headers().allValues("Vary")).contains("Accept-Encoding");
        assertThat(header(zipped, "ETag")).isNotEqualTo(header(plain, "ETag"));
        assertThat(new String(new GZIPInputStream(new ByteArrayInputStream(zipped.body())).readAllBytes(), UTF_8))
                .isEqualTo(plain.body());
        assertThat(service.get(path, "Accept-Encoding", "gzip;q=0").headers().firstValue("Content-Encoding"))
                .isEmpty();
    }

    @Test
    void head_has_the_headers_and_no_body() throws Exception {
        HttpResponse<String> get = service.get("/");
        HttpResponse<String> head = service.send("HEAD", "/");
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(header(head, "ETag")).isEqualTo(header(get, "ETag"));
        assertThat(header(head, "Content-Length")).isEqualTo(header(get, "Content-Length"));
    }

    @Test
    void every_asset_is_served_with_its_type() throws Exception {
        Map<String, String> types = Map.of(
                "css", "text/css; charset=utf-8",
                "js", "text/javascript; charset=utf-8",
                "json", "application/json",
                "svg", "image/svg+xml");
        try (Stream<Path> files = Files.list(FILES.resolve("assets"))) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                HttpResponse<String> response = service.get("/assets/" + name);
                assertThat(response.statusCode()).as(name).isEqualTo(200);
                assertThat(response.body()).as(name).isEqualTo(Files.readString(file));
                assertThat(header(response, "Content-Type")).isEqualTo(types.get(name.replaceAll(".*\\.", "")));
            }
        }
    }

    @Test
    void every_published_module_of_the_helper_is_served() throws Exception {
        Path published = Path.of(System.getProperty("porchlight.root"), "client/src");
        try (Stream<Path> files = Files.walk(published)) {
            for (Path file :
                    files.filter(name -> name.toString().endsWith(".js")).toList()) {
                HttpResponse<String> response = service.get("/" + published.relativize(file));
                assertThat(response.statusCode()).as(file.toString()).isEqualTo(200);
                assertThat(response.body()).isEqualTo(Files.readString(file));
                assertThat(header(response, "Content-Type")).isEqualTo("text/javascript; charset=utf-8");
            }
        }
    }

    @Test
    void every_referenced_file_exists() throws Exception {
        Pattern load = Pattern.compile("(?:src|href)=\"(/[^\"#]*)|from '\\.?(/[^']*)'|'(/assets/[^'#$]+)'");
        TreeSet<String> loaded = new TreeSet<>();
        try (Stream<Path> files = Files.walk(FILES)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                load.matcher(Files.readString(file)).results().forEach(found -> {
                    String path = Stream.of(1, 2, 3)
                            .map(found::group)
                            .filter(group -> group != null)
                            .findFirst()
                            .orElseThrow();
                    loaded.add(found.group().contains("'./") ? "/assets" + path : path);
                });
            }
        }
        assertThat(loaded)
                .contains("/porchlight.js", "/porchlight/account.js", "/assets/porchlight.css", "/assets/dom.js");
        for (String path : loaded) {
            assertThat(service.get(path).statusCode()).as(path).isIn(200, 503); // readiness may be down
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/assets/",
                "/assets/x",
                "/assets/porchlight.css;x",
                "/assets/../index.html",
                "/assets/%2e%2e%2findex.html",
                "/porchlight/",
                "/porchlight/account.d.ts",
                "/index.html"
            })
    void an_unknown_file_is_not_found(String path) throws Exception {
        assertThat(service.get(path).statusCode()).isIn(400, 404);
    }

    @Test
    void the_management_port_serves_the_console_and_no_user_pages() throws Exception {
        try (RunningService split = new RunningService(Map.of("MANAGEMENT_PORT", "0"), routes -> {})) {
            assertThat(split.get("/").statusCode()).isEqualTo(200);
            assertThat(split.get("/console").statusCode()).isEqualTo(404);
            assertThat(management(split, "/console").statusCode()).isEqualTo(200);
            assertThat(management(split, "/assets/porchlight.css").statusCode()).isEqualTo(200);
            assertThat(management(split, "/").statusCode()).isEqualTo(404);
            assertThat(management(split, "/account").statusCode()).isEqualTo(404);
        }
    }

    private static HttpResponse<String> management(RunningService service, String path) throws Exception {
        return service.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + service.app.managementPort() + path))
                        .build());
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse(null);
    }
}
