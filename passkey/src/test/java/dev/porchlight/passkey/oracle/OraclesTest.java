// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.SoftAssertions.assertSoftly;

import com.fasterxml.jackson.databind.JsonNode;
import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.passkey.TestDatabase;
import dev.porchlight.passkey.Vectors;
import dev.porchlight.passkey.oracle.Difference.Judge;
import dev.porchlight.passkey.oracle.Trio.Verdicts;
import dev.porchlight.passkey.store.Migration;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.tamper.Mutations;
import dev.porchlight.testkit.tamper.Precondition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Provider;
import java.security.Security;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * All mutations and all vectors of the specification, verified by this library, webauthn4j and Yubico's library, with the
 * JDK's providers.
 */
@Tag("slow")
class OraclesTest {
    private static final Map<Set<Precondition>, Trio> TRIOS = new HashMap<>();
    private static final String NATIVE = "AmazonCorrettoCryptoProvider";
    private static Provider nativeProvider;
    private static HikariDataSource database;

    static void removeNativeProvider() {
        nativeProvider = Security.getProvider(NATIVE);
        Security.removeProvider(NATIVE);
    }

    static void restoreNativeProvider() {
        if (nativeProvider != null) {
            Security.addProvider(nativeProvider); // preferred by its name, at any position
        }
    }

    @BeforeAll
    static void start() {
        removeNativeProvider();
        database = TestDatabase.SQLITE.fresh();
        Migration.run(database);
    }

    @AfterAll
    static void close() {
        TRIOS.clear();
        database.close();
        restoreNativeProvider();
    }

    static Stream<Mutation> everything() {
        return Mutations.all().stream();
    }

    @ParameterizedTest
    @MethodSource("everything")
    void mutations_are_judged_alike_except_for_listed_differences(Mutation mutation) {
        Set<Precondition> preconditions = mutation.preconditions();
        Trio trio = Trio.isReusable(preconditions)
                ? TRIOS.computeIfAbsent(preconditions, it -> new Trio(database, it))
                : new Trio(database, preconditions);
        Verdicts verdicts = trio.send(mutation);
        assertThat(verdicts.porchlight()).as("accepted here: %s", mutation).isEqualTo(mutation.valid());
        assertListed(mutation.toString(), verdicts);
    }

    @TestFactory
    Stream<DynamicTest> registrations_of_the_specification_are_judged_alike() {
        W3cParties parties = new W3cParties();
        return Vectors.read("w3c_registrations.jsonl").stream()
                .map(vector -> DynamicTest.dynamicTest(id(vector), () -> {
                    assertListed(id(vector), parties.register(vector));
                }));
    }

    @TestFactory
    Stream<DynamicTest> authentications_of_the_specification_are_judged_alike() {
        W3cParties parties = new W3cParties();
        Vectors.read("w3c_registrations.jsonl").forEach(parties::enroll);
        return Vectors.read("w3c_authentications.jsonl").stream()
                .map(vector -> DynamicTest.dynamicTest(id(vector), () -> {
                    assertListed(id(vector), parties.authenticate(vector));
                }));
    }

    /** Regenerate the page with {@code -Dporchlight.write.docs=true}. */
    @Test
    void the_docs_page_lists_all_differences() throws IOException {
        Path page = Path.of(System.getProperty("porchlight.root", ".."), "docs/security/oracles.md");
        if (Boolean.getBoolean("porchlight.write.docs")) {
            Files.writeString(page, OraclesPage.text());
        }
        assertThat(page).content().isEqualTo(OraclesPage.text());
    }

    @Test
    void listed_differences_have_existing_cases() {
        Set<String> known = Stream.concat(
                        everything().map(Mutation::name), everything().map(Mutation::toString))
                .collect(Collectors.toSet());
        assertThat(Stream.concat(Differences.STRICTER.stream(), Differences.LENIENT.stream())
                        .flatMap(it -> it.cases().stream())
                        .filter(it -> !it.contains("-w3c-")))
                .allMatch(known::contains);
    }

    private static String id(JsonNode vector) {
        return vector.get("id").asText();
    }

    private static void assertListed(String caseName, Verdicts verdicts) {
        boolean ours = verdicts.porchlight();
        assertSoftly(all -> {
            all.assertThat(ours && !verdicts.webauthn4j() && !verdicts.yubico())
                    .as("%s is accepted here and refused by both", caseName)
                    .isEqualTo(Differences.acceptedHereAlone(caseName));
            all.assertThat(verdicts.webauthn4j() != ours)
                    .as("webauthn4j differs on %s, accepted here: %s", caseName, ours)
                    .isEqualTo(Differences.listed(Judge.WEBAUTHN4J, caseName));
            all.assertThat(verdicts.yubico() != ours)
                    .as("Yubico's library differs on %s, accepted here: %s", caseName, ours)
                    .isEqualTo(Differences.listed(Judge.YUBICO, caseName));
        });
    }
}
