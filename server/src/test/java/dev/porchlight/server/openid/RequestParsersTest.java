// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.TestDatabase;
import dev.porchlight.server.storage.Database;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The parsers of what strangers send to OpenID Connect read their input or refuse it, and nothing else. Each parses its corpus
 * and a fixed set of changes to it; with {@code -Dporchlight.fuzz.minutes=N}, random changes for a fifth of N minutes,
 * divided over the parsers.
 */
class RequestParsersTest {
    private static final int MINUTES = Integer.getInteger("porchlight.fuzz.minutes", 0);
    private static final int CHANGES = 2_000;
    private static final String ISSUER = "https://login.example";
    private static final String REGISTERED = "https://app.example/callback";
    private static final String LOOPBACK = "http://127.0.0.1/callback";

    private static Database database;
    private static ClientAuthenticator authenticator;
    private static DpopProofs proofs;

    @BeforeAll
    static void open() {
        database = TestDatabase.SQLITE.open(2);
        Sql sql = new Sql(database.dataSource());
        sql.update(
                "INSERT INTO porchlight_client (client_id, name, secret_hash, settings, created_at) VALUES (?, ?, ?, ?, ?)",
                "app",
                "App",
                Client.hash("another secret"),
                JsonWriter.object(ClientSettings.of(List.of(REGISTERED))::write),
                0L);
        Clients clients = new Clients(sql, Clock.systemUTC(), new SecureRandom());
        authenticator = new ClientAuthenticator(clients, sql, Set.of(ISSUER), Clock.systemUTC());
        proofs = new DpopProofs(ISSUER, sql, Clock.systemUTC());
    }

    @AfterAll
    static void close() {
        database.close();
    }

    private enum Parser {
        PARAMETERS {
            @Override
            void read(String text) throws RefusedException {
                Map<String, List<String>> map = Parameters.parse(text).toMap();
                String again = map.entrySet().stream()
                        .map(entry -> encode(entry.getKey())
                                + '='
                                + encode(entry.getValue().get(0)))
                        .collect(Collectors.joining("&"));
                assertThat(Parameters.parse(again).toMap()).isEqualTo(map);
                assertThat(map.toString().chars().noneMatch(Character::isISOControl))
                        .isTrue();
            }
        },
        REDIRECT_URI {
            @Override
            void read(String text) {
                Client client = new Client("app", "App", null, ClientSettings.of(List.of(REGISTERED, LOOPBACK)), 0);
                if (RedirectUri.isRegistered(client, text)) {
                    assertThat(text)
                            .matches("https://app\\.example/callback|http://127\\.0\\.0\\.1(:\\d{1,5})?/callback");
                }
                if (RedirectUri.problem(text).isEmpty()) {
                    assertThat(URI.create(text).getScheme()).isNotNull();
                    RedirectUri.origin(text)
                            .ifPresent(origin -> assertThat(text).startsWith(origin));
                }
            }
        },
        SIGN_IN_REQUEST {
            @Override
            void read(String text) throws MalformedException {
                SignInRequest request = SignInRequest.parse(text);
                assertThat(SignInRequest.parse(request.toJson())).isEqualTo(request);
            }
        },
        CLIENT_ASSERTION {
            @Override
            void read(String text) throws RefusedException {
                var request = new HTTPRequest(HTTPRequest.Method.POST, URI.create(ISSUER + "/oauth2/token"));
                try {
                    request.setContentType("application/x-www-form-urlencoded");
                } catch (ParseException e) {
                    throw new AssertionError(e);
                }
                request.setBody(text);
                Parameters parameters = Parameters.parse(text);
                throw new AssertionError("authenticated as " + authenticator.authenticate(request, parameters));
            }
        },
        DPOP_PROOF {
            @Override
            void read(String text) throws RefusedException {
                throw new AssertionError("accepted: " + proofs.thumbprint(List.of(text), "/oauth2/token"));
            }
        };

        abstract void read(String text) throws RefusedException, MalformedException;

        /** Reads an input; throws only if that breaks a rule. */
        void run(byte[] input) {
            try {
                read(new String(input, StandardCharsets.ISO_8859_1));
            } catch (RefusedException refused) {
                assertThat(refused.refusal().found().length()).isLessThan(300);
            } catch (MalformedException refused) {
                assertThat(refused.getMessage()).hasSizeLessThan(200);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("input " + HexFormat.of().formatHex(input), e);
            }
        }

        private static String encode(String text) {
            return URLEncoder.encode(text, StandardCharsets.UTF_8);
        }
    }

    @TestFactory
    Stream<DynamicTest> every_input_is_read_or_refused() {
        return Stream.of(Parser.values()).map(parser -> DynamicTest.dynamicTest(parser.name(), () -> search(parser)));
    }

    private static void search(Parser parser) throws IOException {
        List<byte[]> corpus = corpus(parser);
        corpus.forEach(parser::run);
        Random random = new Random(MINUTES == 0 ? parser.name().hashCode() : System.nanoTime());
        long end = System.nanoTime() + MINUTES * 12_000_000_000L / Parser.values().length;
        for (int i = 0; MINUTES == 0 ? i < CHANGES : System.nanoTime() < end; i++) {
            byte[] input = corpus.get(random.nextInt(corpus.size()));
            int changes = 1 + random.nextInt(3);
            for (int change = 0; change < changes; change++) {
                input = changed(input, corpus.get(random.nextInt(corpus.size())), random);
            }
            parser.run(input);
        }
    }

    private static List<byte[]> corpus(Parser parser) throws IOException {
        Path directory = Path.of(
                System.getProperty("porchlight.root"),
                "server/src/test/resources/dev/porchlight/server/openid/corpus",
                parser.name());
        List<byte[]> corpus = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.sorted().toList()) {
                corpus.add(Files.readAllBytes(file));
            }
        }
        return corpus;
    }

    /** Replaces up to four bytes by others: random ones, or a piece of another input. */
    private static byte[] changed(byte[] input, byte[] other, Random random) {
        int at = random.nextInt(input.length + 1);
        int rest = Math.min(input.length, at + random.nextInt(5));
        byte[] piece = new byte[random.nextInt(5)];
        random.nextBytes(piece);
        if (random.nextBoolean() && other.length > 0) {
            int from = random.nextInt(other.length);
            piece = Arrays.copyOfRange(other, from, Math.min(other.length, from + random.nextInt(40)));
        }
        byte[] result = new byte[at + piece.length + input.length - rest];
        System.arraycopy(input, 0, result, 0, at);
        System.arraycopy(piece, 0, result, at, piece.length);
        System.arraycopy(input, rest, result, at + piece.length, input.length - rest);
        return result;
    }
}
