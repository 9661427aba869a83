// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.passkey;

import com.webauthn4j.data.AuthenticationData;
import com.yubico.webauthn.AssertionResult;
import dev.porchlight.passkey.AuthenticationResult;
import dev.porchlight.passkey.CredentialAlgorithm;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Verifies one assertion of each algorithm, from its JSON to the result. */
public class AlgorithmVerify {
    /** Porchlight as configured by the service. */
    @State(Scope.Thread)
    public static class Served {
        @Param("ES256")
        public CredentialAlgorithm algorithm;

        private Material material;

        @Setup
        public void prepare() {
            NativeProvider.preferInThisJvm(); // the authenticator may need it, too
            material = Material.of(NativeProvider.get(), algorithm);
        }
    }

    /** webauthn4j as documented. */
    @State(Scope.Thread)
    public static class OfWebauthn4j {
        @Param("ES256")
        public CredentialAlgorithm algorithm;

        private Webauthn4j webauthn4j;

        @Setup
        public void prepare() {
            webauthn4j = new Webauthn4j(Material.of(null, algorithm));
        }
    }

    /** Yubico's library as documented. */
    @State(Scope.Thread)
    public static class OfYubico {
        @Param("ES256")
        public CredentialAlgorithm algorithm;

        private Yubico yubico;

        @Setup
        public void prepare() {
            yubico = new Yubico(Material.of(null, algorithm));
        }
    }

    @Benchmark
    public AuthenticationData webauthn4j(OfWebauthn4j state) {
        return state.webauthn4j.authenticate();
    }

    @Benchmark
    public AssertionResult yubico(OfYubico state) throws Exception {
        return state.yubico.authenticate();
    }

    @Benchmark
    public AuthenticationResult ours(Served state) {
        return AssertionVerify.verified(state.material);
    }
}
