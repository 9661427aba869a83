// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.FileDescriptor;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Architecture rules that neither the compiler nor the module descriptors can enforce. */
class ArchitectureTest {
    private static final Path ROOT = Path.of(System.getProperty("porchlight.root"));
    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPaths(Stream.of(
                            "observe",
                            "observe-servlet",
                            "observe-slf4j",
                            "observe-spring-boot-starter",
                            "base",
                            "passkey",
                            "testkit",
                            "server",
                            "spring-boot-starter")
                    .map(module -> ROOT.resolve(module).resolve("target/classes"))
                    .toList());

    /**
     * The shared types of the passkey API. They are in the root package, because only that is exported, and depend on nothing, so all
     * packages of the module may use them.
     */
    private static final DescribedPredicate<JavaClass> PASSKEY_TERM = DescribedPredicate.describe(
            "are terms of the passkey API",
            type -> type.getBaseComponentType()
                    .getName()
                    .matches(
                            "dev\\.porchlight\\.passkey\\."
                                    + "(Step|StepResult|UserVerification|SignCountPolicy|AttestationPolicy|CredentialAlgorithm)(\\$.*)?"));

    @Test
    void packages_have_no_cycles() {
        slices().assignedFrom(new SliceAssignment() {
                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass type) {
                        return SliceIdentifier.of(
                                PASSKEY_TERM.test(type) ? "terms of the passkey API" : type.getPackageName());
                    }

                    @Override
                    public String getDescription() {
                        return "packages, and the terms of the passkey API";
                    }
                })
                .should()
                .beFreeOfCycles()
                .check(ALL);
    }

    @Test
    void the_passkey_module_exports_three_packages() {
        var module = ModuleFinder.of(ROOT.resolve("passkey/target/classes")).find("dev.porchlight.passkey");

        assertThat(module.orElseThrow().descriptor().exports())
                .filteredOn(exported -> !exported.isQualified())
                .extracting(ModuleDescriptor.Exports::source)
                .containsExactlyInAnyOrder(
                        "dev.porchlight.passkey", "dev.porchlight.passkey.metadata", "dev.porchlight.passkey.store");
    }

    @Test
    void terms_of_the_passkey_api_depend_on_nothing() {
        classes()
                .that(PASSKEY_TERM)
                .should()
                .onlyDependOnClassesThat(PASSKEY_TERM.or(resideInAnyPackage("java..", "org.jspecify..")))
                .check(ALL);
    }

    @Test
    void verification_does_not_depend_on_stores() {
        noClasses()
                .that()
                .resideInAPackage("dev.porchlight.passkey.verify")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.porchlight.passkey.store")
                .check(ALL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"base", "observe", "passkey", "server", "server.openid", "spring"})
    void subpackages_do_not_depend_on_the_root_package(String module) {
        String door = "dev.porchlight." + module;
        noClasses()
                .that()
                .resideInAPackage(door + ".*..")
                .and()
                .resideOutsideOfPackage("dev.porchlight.observe.spring") // a module above observe
                .should()
                .dependOnClassesThat(resideInAPackage(door).and(not(PASSKEY_TERM)))
                .check(ALL);
    }

    @Test
    void observe_depends_only_on_the_jdk() {
        classes()
                .that()
                .resideInAPackage("dev.porchlight.observe..")
                .and()
                .resideOutsideOfPackages(
                        "dev.porchlight.observe.servlet",
                        "dev.porchlight.observe.slf4j",
                        "dev.porchlight.observe.spring")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.porchlight.observe..",
                        "java..",
                        "javax..",
                        "com.sun.management..",
                        "com.sun.net.httpserver..",
                        "org.jspecify..")
                .check(ALL);
    }

    @Test
    void base_depends_on_no_other_module() {
        classes()
                .that()
                .resideInAPackage("dev.porchlight.base..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.porchlight.base..",
                        "java..",
                        "javax.crypto..",
                        "javax.sql..",
                        "com.fasterxml.jackson..",
                        "org.jspecify..")
                .check(ALL);
    }

    @Test
    void lower_layers_do_not_depend_on_higher_layers() {
        noClasses()
                .that()
                .resideInAPackage("dev.porchlight.passkey..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.porchlight.observe..", "dev.porchlight.server..", "dev.porchlight.testkit..")
                .check(ALL);
        noClasses()
                .that()
                .resideInAPackage("dev.porchlight.testkit..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.porchlight.observe..", "dev.porchlight.server..", "dev.porchlight.passkey..")
                .check(ALL);
        noClasses()
                .that()
                .resideInAPackage("dev.porchlight.spring..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.porchlight.observe..", "dev.porchlight.server..", "dev.porchlight.testkit..")
                .check(ALL);
    }

    @Test
    void request_packages_do_not_depend_on_operator_packages() {
        noClasses()
                .that()
                .resideInAPackage("dev.porchlight.server.*..")
                .and()
                .resideOutsideOfPackage("dev.porchlight.server.operator..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.porchlight.server.operator..")
                .check(ALL);
    }

    @ParameterizedTest(name = "{0} below {1}")
    @CsvSource({
        "protocol, client|grant|token|logout|authorize",
        "client, grant|token|logout|authorize",
        "grant, token|logout|authorize",
        "token, logout|authorize",
        "logout, authorize"
    })
    void packages_of_openid_connect_depend_only_on_lower_ones(String lower, String higher) {
        String[] above = Stream.of(higher.split("\\|", -1))
                .map(name -> "dev.porchlight.server.openid." + name)
                .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage("dev.porchlight.server.openid." + lower)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(above)
                .check(ALL);
    }

    @Test
    void the_rest_of_the_service_does_not_depend_on_openid_connect() {
        noClasses()
                .that()
                .resideInAPackage("dev.porchlight.server.*..")
                .and()
                .resideOutsideOfPackages("dev.porchlight.server.openid..", "dev.porchlight.server.operator..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.porchlight.server.openid..")
                .check(ALL);
    }

    @Test
    void published_modules_do_not_depend_on_the_lab() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.porchlight.attack..",
                        "dev.porchlight.bench..",
                        "dev.porchlight.drill..",
                        "dev.porchlight.oracles..",
                        "dev.porchlight.rig..")
                .check(ALL);
    }

    @ParameterizedTest(name = "{0} only in {1}")
    @CsvSource({
        "org.eclipse.jetty.., dev.porchlight.server.http",
        "com.fasterxml.jackson.., dev.porchlight.base",
        "com.nimbusds.., dev.porchlight.server.token|dev.porchlight.server.openid..",
        "com.nimbusds.oauth2.., dev.porchlight.server.openid..",
        "com.zaxxer.hikari.., dev.porchlight.server.storage",
        "redis.clients.., dev.porchlight.server.storage.redis",
        "jakarta.mail.., dev.porchlight.server.mail",
        "org.eclipse.angus.., dev.porchlight.server.mail",
        "org.slf4j.., dev.porchlight.observe.slf4j|dev.porchlight.observe.spring|dev.porchlight.spring.web",
        "org.springframework.., dev.porchlight.spring..|dev.porchlight.observe.spring",
        "org.springframework.security.., dev.porchlight.spring.security",
        "io.micrometer.., dev.porchlight.spring.metrics",
        "jakarta.servlet.., dev.porchlight.observe.servlet|dev.porchlight.spring.web|dev.porchlight.spring.security",
        "picocli.., dev.porchlight.server.operator.cli",
        "io.nayuki.., dev.porchlight.server.routes",
        "dev.porchlight.server.wiring.., dev.porchlight.server|dev.porchlight.server.openid|dev.porchlight.server.operator.cli|dev.porchlight.server.wiring",
        "dev.porchlight.testkit.., dev.porchlight.testkit..",
        "javax.sql.., dev.porchlight.base.sql|dev.porchlight.passkey.store|dev.porchlight.passkey|dev.porchlight.server.storage|dev.porchlight.testkit..|dev.porchlight.spring|dev.porchlight.spring.explain|dev.porchlight.spring.health"
    })
    void each_external_api_is_used_in_one_place(String foreign, String places) {
        noClasses()
                .that()
                .resideOutsideOfPackages(places.split("\\|", -1))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(foreign)
                .check(ALL);
    }

    @Test
    void only_commands_and_the_console_exporter_use_standard_output() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("dev.porchlight.server.Main")
                .and()
                .doNotHaveFullyQualifiedName("dev.porchlight.testkit.cli.TestKey")
                .and()
                .doNotHaveFullyQualifiedName("dev.porchlight.observe.otlp.OtlpSettings")
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .callMethod(Throwable.class, "printStackTrace")
                .check(ALL);
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("dev.porchlight.observe.log.LogWriter")
                .should()
                .accessField(FileDescriptor.class, "out")
                .orShould()
                .accessField(FileDescriptor.class, "err")
                .check(ALL);
    }

    @Test
    void the_passkey_module_prints_nothing_and_logs_only_security_warnings() {
        noClasses()
                .that()
                .resideInAPackage("dev.porchlight.passkey..")
                .and()
                .doNotHaveFullyQualifiedName("dev.porchlight.passkey.SecurityWarnings")
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.lang.System$Logger")
                .check(ALL);
    }
}
