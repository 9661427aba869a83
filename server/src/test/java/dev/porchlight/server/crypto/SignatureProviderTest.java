// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.Provider;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class SignatureProviderTest {
    @Test
    @EnabledOnOs(
            value = {OS.LINUX, OS.MAC},
            disabledReason = "the native provider is made for Linux and macOS")
    void the_native_provider_is_used_if_available() {
        SignatureProvider chosen = SignatureProvider.choose();

        assertThat(chosen.name()).startsWith("AmazonCorrettoCryptoProvider 2.");
        assertThat(chosen.provider()).isPresent();
        assertThat(chosen.fault()).isNull();
        assertThat(chosen.nativeFault()).isNull();
    }

    @Test
    void the_jdk_is_used_without_a_native_provider() {
        SignatureProvider chosen = SignatureProvider.chosenFrom(List.of());

        assertIsTheJdk(chosen);
        assertThat(chosen.nativeFault()).isEqualTo("not on the class path");
    }

    @Test
    void the_jdk_is_used_if_the_native_provider_does_not_load() {
        SignatureProvider chosen = SignatureProvider.chosenFrom(List.of(candidate(() -> {
            throw new UnsatisfiedLinkError("wrong ELF class");
        })));

        assertIsTheJdk(chosen);
        assertThat(chosen.nativeFault()).isEqualTo("does not load on this machine: wrong ELF class");
    }

    @Test
    void the_jdk_is_used_if_the_native_provider_verifies_nothing() {
        SignatureProvider chosen = SignatureProvider.chosenFrom(List.of(candidate(EmptyProvider::new)));

        assertIsTheJdk(chosen);
        assertThat(chosen.nativeFault()).contains("a valid signature is refused");
    }

    private static void assertIsTheJdk(SignatureProvider chosen) {
        assertThat(chosen.provider()).isEmpty();
        assertThat(chosen.name()).startsWith("SunEC ");
        assertThat(chosen.fault()).isNull();
    }

    private static ServiceLoader.Provider<Provider> candidate(java.util.function.Supplier<Provider> make) {
        return new ServiceLoader.Provider<>() {
            @Override
            public Class<? extends Provider> type() {
                return EmptyProvider.class;
            }

            @Override
            public Provider get() {
                return make.get();
            }
        };
    }

    private static final class EmptyProvider extends Provider {
        private static final long serialVersionUID = 1;

        EmptyProvider() {
            super("Empty", "1", "offers nothing");
        }
    }
}
