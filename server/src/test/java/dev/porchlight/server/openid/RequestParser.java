// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.TestDatabase;
import dev.porchlight.server.auth.Sealer;
import dev.porchlight.server.token.KeyRing;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The parsers of what strangers send to OpenID Connect, one target each. They read their input or refuse it, and nothing else. */
enum RequestParser {
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
            Client client =
                    new Client("app", "App", null, ClientSettings.of(List.of(Fixture.REGISTERED, LOOPBACK)), 0, 0);
            if (RedirectUri.isRegistered(client, text)) {
                assertThat(text).matches("https://app\\.example/callback|http://127\\.0\\.0\\.1(:\\d{1,5})?/callback");
            }
            if (RedirectUri.problem(text).isEmpty()) {
                assertThat(URI.create(text).getScheme()).isNotNull();
                RedirectUri.origin(text).ifPresent(origin -> assertThat(text).startsWith(origin));
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
            var request = new HTTPRequest(HTTPRequest.Method.POST, URI.create(Fixture.ISSUER + "/oauth2/token"));
            try {
                request.setContentType("application/x-www-form-urlencoded");
            } catch (ParseException e) {
                throw new AssertionError(e);
            }
            request.setBody(text);
            Parameters parameters = Parameters.parse(text);
            throw new AssertionError("authenticated as " + FIXTURE.authenticator.authenticate(request, parameters));
        }
    },
    DPOP_PROOF {
        @Override
        void read(String text) throws RefusedException {
            throw new AssertionError("accepted: " + FIXTURE.proofs.thumbprint(List.of(text), "/oauth2/token"));
        }
    },
    AUTHORIZATION_REQUEST {
        @Override
        void read(String text) throws RefusedException {
            Parameters parameters = Parameters.parse(text);
            AuthorizationRequests.Target target = FIXTURE.requests.target(parameters);
            assertThat(target.redirectUri()).isEqualTo(Fixture.REGISTERED);
            SignInRequest request = FIXTURE.requests.validate(target, parameters);
            assertThat(request.redirectUri()).isEqualTo(Fixture.REGISTERED);
            assertThat(request.scopes()).contains("openid");
            assertThat(FIXTURE.requests.open(FIXTURE.requests.seal(request))).isEqualTo(request);
        }
    },
    PUSHED_REQUEST {
        @Override
        void read(String text) {
            assertThat(FIXTURE.requests.openPushed(text, "app")).isNull();
            assertThat(FIXTURE.requests.open(text)).isNull();
        }
    },
    TOKEN_FORM {
        @Override
        void read(String text) throws RefusedException {
            Parameters parameters = Parameters.parse(text);
            for (String name : List.of("code", "refresh_token")) {
                String token = parameters.get(name);
                assertThat(token == null ? null : FIXTURE.codes.read(token)).isNull();
            }
        }
    },
    LOGOUT_REQUEST {
        @Override
        void read(String text) throws RefusedException {
            LogoutRequest request = LogoutRequest.of(Parameters.parse(text), FIXTURE.clients, FIXTURE.tokens);
            assertThat(request.userId()).as("a forged hint").isNull();
            String target = request.target();
            if (target != null) {
                assertThat(target).matches("https://app\\.example/bye([?]state=[A-Za-z0-9%+*._-]*)?");
            }
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

    private static final String LOOPBACK = "http://127.0.0.1/callback";
    private static final Fixture FIXTURE = new Fixture();

    /** The directory of the corpus. */
    Path directory() {
        return Path.of(
                System.getProperty("porchlight.root"),
                "server/src/test/resources/dev/porchlight/server/openid/corpus",
                name());
    }

    /** The inputs of the corpus. */
    List<byte[]> corpus() throws IOException {
        try (Stream<Path> files = Files.list(directory())) {
            List<byte[]> corpus = new java.util.ArrayList<>();
            for (Path file : files.sorted().toList()) {
                corpus.add(Files.readAllBytes(file));
            }
            return corpus;
        }
    }

    /** A registered client and what reads its requests, on a database of this JVM. */
    private static final class Fixture {
        private static final String ISSUER = "https://login.example";
        private static final String REGISTERED = "https://app.example/callback";

        private final Clients clients;
        private final ClientAuthenticator authenticator;
        private final DpopProofs proofs;
        private final OpenIdTokens tokens;
        private final AuthorizationRequests requests;
        private final AuthorizationTokens codes;

        private Fixture() {
            Clock clock = Clock.systemUTC();
            SecureRandom random = new SecureRandom();
            byte[] key = new byte[32];
            random.nextBytes(key);
            Sealer sealer = new Sealer(List.of(key), random);
            Sql sql = new Sql(TestDatabase.SQLITE.open(2).dataSource());
            var settings = new ClientSettings(
                    List.of(REGISTERED),
                    List.of("https://app.example/bye"),
                    null,
                    "ES256",
                    List.of(),
                    Duration.ofHours(1),
                    false,
                    null);
            sql.update(
                    "INSERT INTO porchlight_client (client_id, name, secret_hash, settings, created_at) VALUES (?, ?,"
                            + " ?, ?, ?)",
                    "app",
                    "App",
                    Client.hash("another secret"),
                    JsonWriter.object(settings::write),
                    0L);
            clients = new Clients(sql, clock, random);
            authenticator = new ClientAuthenticator(clients, sql, Set.of(ISSUER), clock);
            proofs = new DpopProofs(ISSUER, sql, clock);
            var keys = new OpenIdKeys(new KeyRing(sql, sealer, clock, Duration.ofMinutes(1)), null);
            tokens = new OpenIdTokens(keys, ISSUER, Duration.ofMinutes(1), clock);
            requests = new AuthorizationRequests(clients, tokens, sealer, sql, clock);
            codes = new AuthorizationTokens(List.of(key));
        }
    }
}
