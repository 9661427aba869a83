// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.CeremonyListener;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.Operation;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.SignCountPolicy;
import dev.porchlight.passkey.UserVerification;
import dev.porchlight.passkey.metadata.AuthenticatorPolicy;
import dev.porchlight.passkey.metadata.Authenticators;
import dev.porchlight.passkey.store.ChallengeStore;
import dev.porchlight.passkey.store.MemoryChallengeStore;
import dev.porchlight.passkey.store.UnreadableRow;
import dev.porchlight.spring.web.PasskeySession;
import dev.porchlight.spring.web.PasskeySignIn;
import dev.porchlight.spring.web.RegisteringUser;
import dev.porchlight.testkit.Mediation;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutations;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DeferredImportSelector;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.servlet.function.RouterFunction;
import org.sqlite.SQLiteDataSource;

/** The beans of applications with different dependencies and properties. */
class PasskeyAutoConfigurationTest {
    @TempDir
    Path directory;

    private static final String[] RELYING_PARTY = {
        "porchlight.rp-name=Shop", "porchlight.rp-id=shop.example", "porchlight.origin=https://shop.example"
    };

    private SQLiteDataSource database;
    private WebApplicationContextRunner application;

    /** Imports our configurations as Spring Boot does: conditions are evaluated before a class is loaded. */
    static final class AutoConfigurations implements DeferredImportSelector {
        @Override
        public String[] selectImports(AnnotationMetadata application) {
            return ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader()).getCandidates().stream()
                    .filter(name -> name.startsWith("dev.porchlight."))
                    .toArray(String[]::new);
        }
    }

    @Configuration
    @Import(AutoConfigurations.class)
    static class Application {}

    @BeforeEach
    void prepare() {
        database = new SQLiteDataSource();
        database.setUrl("jdbc:sqlite:" + directory.resolve("application.db"));
        application = new WebApplicationContextRunner()
                .withUserConfiguration(Application.class)
                .withBean(DataSource.class, () -> database)
                .withPropertyValues(RELYING_PARTY);
    }

    @Test
    void a_bean_with_the_policy_for_authenticators_is_used() {
        var known = new Authenticators(AuthenticatorPolicy.DEFAULT, Optional::empty);

        application
                .withBean(Authenticators.class, () -> known)
                .run(context -> assertThat(context.getBean(PasskeyService.class).authenticators())
                        .isSameAs(known));
    }

    @Test
    void three_properties_are_enough() {
        application.run(context -> {
            assertThat(context).hasSingleBean(RouterFunction.class).hasSingleBean(PasskeyService.class);
            assertThat(context.getBean(PasskeyConfig.class))
                    .usingRecursiveComparison()
                    .isEqualTo(new PasskeyConfig("Shop", "shop.example", "https://shop.example"));
            assertThat(context).doesNotHaveBean(ChallengeStore.class);
            assertThat(context.getBean(PasskeyService.class).passkeys("ada")).isEmpty();
        });
    }

    @Test
    void optional_properties_are_passed_to_the_library() {
        application
                .withPropertyValues(
                        "porchlight.related-origins=https://pay.example",
                        "porchlight.top-origins=https://portal.example",
                        "porchlight.hints=security-key,hybrid",
                        "porchlight.extensions=prf,credProtect=userVerificationRequired",
                        "porchlight.user-verification=required",
                        "porchlight.algorithms=ES256,RS256",
                        "porchlight.sign-count-policy=reject",
                        "porchlight.challenge-ttl=30s",
                        "porchlight.max-passkeys-per-user=3")
                .run(context -> {
                    PasskeyConfig config = context.getBean(PasskeyConfig.class);
                    assertThat(config.relatedOrigins()).containsExactly("https://pay.example");
                    assertThat(config.topOrigins()).containsExactly("https://portal.example");
                    assertThat(config.hints()).containsExactly("security-key", "hybrid");
                    assertThat(context.getBean(PasskeyService.class)
                                    .startRegistration("ada")
                                    .toJson())
                            .contains("\"credentialProtectionPolicy\":\"userVerificationRequired\"")
                            .contains("\"prf\":{}");
                    assertThat(config.userVerification()).isEqualTo(UserVerification.REQUIRED);
                    assertThat(config.algorithms())
                            .containsExactly(CredentialAlgorithm.ES256, CredentialAlgorithm.RS256);
                    assertThat(config.signCountPolicy()).isEqualTo(SignCountPolicy.REJECT);
                    assertThat(config.challengeTtl()).hasSeconds(30);
                    assertThat(config.maxPasskeysPerUser()).isEqualTo(3);
                });
    }

    @Test
    void the_outputs_of_requested_extensions_are_returned() {
        var browser = new SoftBrowser("https://shop.example", SoftAuthenticator.securityKey());
        application
                .withPropertyValues("porchlight.extensions=minPinLength")
                .withBean(RegisteringUser.class, () -> request -> "ada")
                .run(context -> {
                    var routes = MockMvcBuilders.routerFunctions(context.getBean(RouterFunction.class))
                            .build();
                    String options = send(routes, get("/auth/passkey/register/options"), 200);
                    assertThat(send(routes, json("/auth/passkey/register/finish", browser.create(options)), 201))
                            .contains("\"extensions\":{\"signed\":{\"minPinLength\":4},\"unsigned\":{}}");
                });
    }

    @Test
    void presence_is_waived_only_for_options_of_a_conditional_creation() {
        var browser = new SoftBrowser("https://shop.example", SoftAuthenticator.syncedPasskeys());
        application.withBean(RegisteringUser.class, () -> request -> "ada").run(context -> {
            var routes = MockMvcBuilders.routerFunctions(context.getBean(RouterFunction.class))
                    .build();
            String prompted = send(routes, get("/auth/passkey/register/options"), 200);
            String absent = browser.create(prompted, Mediation.CONDITIONAL);
            send(routes, json("/auth/passkey/register/finish", absent), 400);
            String conditional = send(routes, get("/auth/passkey/register/options?mediation=conditional"), 200);
            send(
                    routes,
                    json("/auth/passkey/register/finish", browser.create(conditional, Mediation.CONDITIONAL)),
                    201);
        });
    }

    @Test
    void an_rsa_passkey_registers_and_signs_in_if_its_algorithm_is_allowed() {
        var browser = new SoftBrowser(
                "https://shop.example",
                SoftAuthenticator.builder().algorithms(-257).build());
        application
                .withPropertyValues("porchlight.algorithms=ES256,RS256")
                .withBean(RegisteringUser.class, () -> request -> "ada")
                .run(context -> {
                    var routes = MockMvcBuilders.routerFunctions(context.getBean(RouterFunction.class))
                            .build();
                    String creation = send(routes, get("/auth/passkey/register/options"), 200);
                    send(routes, json("/auth/passkey/register/finish", browser.create(creation)), 201);
                    String options = send(routes, get("/auth/passkey/login/options"), 200);
                    String tampered =
                            browser.get(options, Mutations.named(CeremonyType.AUTHENTICATION, "signature-one-bit-off"));
                    send(routes, json("/auth/passkey/login/finish", tampered), 401);

                    String again = send(routes, get("/auth/passkey/login/options"), 200);
                    String login = send(routes, json("/auth/passkey/login/finish", browser.get(again)), 200);

                    assertThat(login).contains("\"userId\":\"ada\"");
                });
        assertThat(new Sql(database).query("SELECT public_key FROM passkey_credential", row -> row.getString(1)))
                .singleElement()
                .asString()
                .contains("\"kty\":\"RSA\"");
    }

    private static MockHttpServletRequestBuilder json(String path, String body) {
        return post(path).contentType("application/json").content(body);
    }

    private static String send(MockMvc routes, MockHttpServletRequestBuilder request, int status) throws Exception {
        var response = routes.perform(request).andReturn().getResponse();
        assertThat(response.getStatus()).as(response.getContentAsString()).isEqualTo(status);
        return response.getContentAsString();
    }

    @Test
    void all_invalid_properties_are_reported_at_once() {
        application
                .withPropertyValues(
                        "porchlight.rp-name=",
                        "porchlight.rp-id=other.example",
                        "porchlight.related-origins=http://pay.example/",
                        "porchlight.max-passkeys-per-user=0",
                        "porchlight.previous-challenge-key=brief",
                        "porchlight.decoy-key=short")
                .run(context -> {
                    Throwable failure = context.getStartupFailure();
                    assertThat(failure).hasRootCauseInstanceOf(InvalidPropertiesException.class);
                    String analysis = new InvalidPropertiesException.Analyzer()
                            .analyze(failure)
                            .getDescription();
                    assertThat(analysis)
                            .contains("porchlight.rp-name: is not set")
                            .contains("porchlight.rp-id: rpId \"other.example\"")
                            .contains("porchlight.related-origins: relatedOrigins \"http://pay.example/\"")
                            .contains("porchlight.max-passkeys-per-user: ")
                            .contains("porchlight.decoy-key: has 5 bytes")
                            .contains("porchlight.previous-challenge-key: has 5 bytes")
                            .contains("porchlight.previous-challenge-key: requires porchlight.challenge-key")
                            .doesNotContain("short")
                            .doesNotContain("brief");
                });
    }

    @Test
    void an_invalid_origin_is_reported_with_its_property() {
        application
                .withPropertyValues("porchlight.origin=https://shop.example/")
                .run(context -> assertThat(new InvalidPropertiesException.Analyzer()
                                .analyze(context.getStartupFailure())
                                .getDescription())
                        .contains("porchlight.origin: origin \"https://shop.example/\" is not an origin")
                        .doesNotContain("topOrigins"));
    }

    @Test
    void an_unsupported_database_is_explained_in_one_sentence() {
        new WebApplicationContextRunner()
                .withUserConfiguration(Application.class)
                .withBean(DataSource.class, () -> h2(database))
                .withPropertyValues(RELYING_PARTY)
                .run(context -> {
                    var analysis = new UnsupportedDatabaseAnalyzer().analyze(context.getStartupFailure());
                    assertThat(analysis.getDescription())
                            .isEqualTo("Passkeys need SQLite, PostgreSQL, MySQL or MariaDB,"
                                    + " but the application's DataSource is H2.");
                });
        assertThat(SpringFactoriesLoader.forDefaultResourceLocation()
                        .load(FailureAnalyzer.class, FailureHandler.handleMessage((message, failure) -> {})))
                .hasAtLeastOneElementOfType(UnsupportedDatabaseAnalyzer.class)
                .hasAtLeastOneElementOfType(InvalidPropertiesException.Analyzer.class);
    }

    @Test
    void a_failure_of_a_supported_database_is_not_wrapped() {
        SQLiteDataSource broken = new SQLiteDataSource();
        broken.setUrl("jdbc:sqlite:" + directory.resolve("no such directory").resolve("application.db"));
        new WebApplicationContextRunner()
                .withUserConfiguration(Application.class)
                .withBean(DataSource.class, () -> broken)
                .withPropertyValues(RELYING_PARTY)
                .run(context -> assertThat(new UnsupportedDatabaseAnalyzer().analyze(context.getStartupFailure()))
                        .isNull());
    }

    /** A fake H2: SQLite with another product name that fails every statement. */
    private static DataSource h2(DataSource database) {
        return instead(DataSource.class, database, "getConnection", open -> {
            Connection renamed = instead(
                    Connection.class,
                    (Connection) open.call(),
                    "getMetaData",
                    read -> instead(
                            DatabaseMetaData.class,
                            (DatabaseMetaData) read.call(),
                            "getDatabaseProductName",
                            name -> "H2"));
            return instead(Connection.class, renamed, "prepareStatement", prepare -> {
                throw new SQLException("Table \"PASSKEY_SCHEMA\" not found", "42S02");
            });
        });
    }

    private interface Change {
        Object of(Callable<Object> real) throws Exception;
    }

    /** Returns a proxy with one method replaced. */
    private static <T> T instead(Class<T> type, T real, String name, Change change) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Callable<Object> call = () -> method.invoke(real, arguments);
                    try {
                        return method.getName().equals(name) ? change.of(call) : call.call();
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    @Test
    void two_instances_with_one_decoy_key_return_the_same_decoys() {
        Supplier<String> decoy = () -> {
            var found = new StringBuilder();
            application
                    .withPropertyValues("porchlight.decoy-key=0123456789abcdef0123456789abcdef")
                    .run(context -> found.append(context.getBean(PasskeyService.class)
                            .startAuthentication("unknown")
                            .allowCredentials()));
            return found.toString();
        };

        assertThat(decoy.get()).isNotEmpty().isEqualTo(decoy.get());
    }

    @Test
    void a_missing_decoy_key_is_logged_once_at_startup() {
        List<String> messages = new ArrayList<>();
        var logger = Logger.getLogger("dev.porchlight.passkey");
        var handler = new StreamHandler() {
            @Override
            public synchronized void publish(LogRecord line) {
                messages.add(line.getMessage());
            }
        };
        logger.addHandler(handler);
        try {
            application.run(
                    context -> assertThat(context.getBean(PasskeyService.class)).isNotNull());
            assertThat(messages).singleElement().asString().contains("No decoyKey", "porchlight.decoy-key");
            application
                    .withPropertyValues("porchlight.decoy-key=0123456789abcdef0123456789abcdef")
                    .run(context ->
                            assertThat(context.getBean(PasskeyService.class)).isNotNull());
            assertThat(messages).hasSize(1);
        } finally {
            logger.removeHandler(handler);
        }
    }

    @Test
    void beans_of_the_application_replace_the_defaults() {
        PasskeySignIn signIn = (assertion, request, response) -> PasskeySignIn.Outcome.token("t");
        RegisteringUser user = request -> "ada";
        ChallengeStore challenges = new MemoryChallengeStore();
        application
                .withBean(PasskeySignIn.class, () -> signIn)
                .withBean(RegisteringUser.class, () -> user)
                .withBean(ChallengeStore.class, () -> challenges)
                .run(context -> {
                    assertThat(context.getBean(PasskeySignIn.class)).isSameAs(signIn);
                    assertThat(context.getBean(RegisteringUser.class)).isSameAs(user);
                    assertThat(context.getBean(ChallengeStore.class)).isSameAs(challenges);
                });
    }

    @Test
    void two_user_details_services_are_ambiguous() {
        application
                .withBean("one", UserDetailsService.class, InMemoryUserDetailsManager::new)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(PasskeySignIn.class));
        application
                .withBean("one", UserDetailsService.class, InMemoryUserDetailsManager::new)
                .withBean("two", UserDetailsService.class, InMemoryUserDetailsManager::new)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasRootCauseInstanceOf(NoUniqueBeanDefinitionException.class));
    }

    @Test
    void the_starter_works_without_security_actuator_and_micrometer() {
        application
                .withClassLoader(new FilteredClassLoader(
                        "org.springframework.security",
                        "org.springframework.boot.actuate",
                        "org.springframework.boot.health",
                        "io.micrometer"))
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(RouterFunction.class);
                    assertThat(context.getBean(PasskeySignIn.class)).isInstanceOf(PasskeySession.class);
                    assertThat(context)
                            .doesNotHaveBean("passkeyHealthIndicator")
                            .doesNotHaveBean(CeremonyListener.class);
                });
    }

    @Test
    void without_spring_mvc_there_is_a_service_but_no_route() {
        application
                .withClassLoader(new FilteredClassLoader("org.springframework.web.servlet"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(PasskeyService.class)
                        .doesNotHaveBean("passkeyRoutes"));
    }

    @Test
    void every_listener_is_notified_and_ceremonies_are_counted() {
        List<String> heard = new ArrayList<>();
        application
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean("audit", CeremonyListener.class, () -> new CeremonyListener() {
                    @Override
                    public void finished(Operation operation, Outcome outcome, long nanos) {
                        heard.add(operation.name());
                    }
                })
                .run(context -> {
                    context.getBean(PasskeyService.class).startAuthentication();

                    assertThat(heard).containsExactly("START_AUTHENTICATION");
                    assertThat(context.getBean(MeterRegistry.class)
                                    .get("passkey.ceremonies")
                                    .tags("ceremony", "login_options", "outcome", "ok", "reason", "")
                                    .counter()
                                    .count())
                            .isEqualTo(1);
                    String page = Files.readString(
                            Path.of(System.getProperty("porchlight.root"), "docs/reference/metrics.md"));
                    assertThat(context.getBean(MeterRegistry.class).getMeters())
                            .extracting(Meter::getId)
                            .as("the help texts of the service")
                            .allSatisfy(meter -> assertThat(page)
                                    .containsPattern('`' + meter.getName().replace('.', '_')
                                            + "(_total|_seconds)` \\| [a-z]+ \\| "
                                            + Pattern.quote(meter.getDescription())));
                });
    }

    @Test
    void an_unreadable_row_is_reported_to_every_listener_and_counted() {
        List<String> heard = new ArrayList<>();
        application
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean("audit", CeremonyListener.class, () -> new CeremonyListener() {
                    @Override
                    public void unreadable(UnreadableRow row) {
                        heard.add(row.credentialId());
                    }
                })
                .run(context -> {
                    new Sql(database)
                            .update("INSERT INTO passkey_credential"
                                    + " (credential_id, user_id, public_key, sign_count, origin)"
                                    + " VALUES ('bad', 'ada', '{}', -1, 'https://shop.example')");

                    assertThat(context.getBean(PasskeyService.class).passkeys("ada"))
                            .isEmpty();

                    assertThat(heard).containsExactly("bad");
                    assertThat(context.getBean(MeterRegistry.class)
                                    .get("passkey.unreadable.rows")
                                    .counter()
                                    .count())
                            .isEqualTo(1);
                });
    }

    @Test
    void health_is_down_without_the_tables_and_up_with_them() {
        var spring35 = application.withClassLoader(new FilteredClassLoader("org.springframework.boot.health"));
        spring35.withPropertyValues("porchlight.migrate=false").run(context -> {
            var health = context.getBean(HealthIndicator.class).health();
            assertThat(health.getStatus()).isEqualTo(Status.DOWN);
            assertThat(health.getDetails()).containsEntry("tableVersion", 0);
        });
        spring35.run(context -> assertThat(
                        context.getBean(HealthIndicator.class).health().getStatus())
                .isEqualTo(Status.UP));
        spring35.withPropertyValues("management.health.passkey.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
    }
}
