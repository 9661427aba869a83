// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.passkey;

import com.webauthn4j.data.AuthenticationData;
import com.yubico.webauthn.AssertionResult;
import dev.porchlight.passkey.AuthenticationResult;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Verifies one assertion, from its JSON to the result. */
public class AssertionVerify {
    /** Each library as documented. */
    @State(Scope.Thread)
    public static class AsDocumented {
        private final Material material = new Material(null);
        private final Webauthn4j webauthn4j = new Webauthn4j(material);
        private final Yubico yubico = new Yubico(material);
    }

    /** Porchlight as configured by the service. */
    @State(Scope.Thread)
    public static class Served {
        private final Material material = new Material(NativeProvider.get());
        private final Floor floor = new Floor(material, NativeProvider.get());
    }

    /** Peers with Porchlight's provider. */
    @State(Scope.Thread)
    public static class PeersWithNative {
        private final Webauthn4j webauthn4j;
        private final Yubico yubico;

        public PeersWithNative() {
            NativeProvider.preferInThisJvm();
            Material material = new Material(null);
            webauthn4j = new Webauthn4j(material);
            yubico = new Yubico(material);
        }
    }

    @Benchmark
    public AuthenticationData webauthn4j(AsDocumented state) {
        return state.webauthn4j.authenticate();
    }

    @Benchmark
    public AssertionResult yubico(AsDocumented state) throws Exception {
        return state.yubico.authenticate();
    }

    @Benchmark
    public AuthenticationData webauthn4jNative(PeersWithNative state) {
        return state.webauthn4j.authenticate();
    }

    @Benchmark
    public AssertionResult yubicoNative(PeersWithNative state) throws Exception {
        return state.yubico.authenticate();
    }

    @Benchmark
    public boolean floor(Served state) throws Exception {
        return state.floor.verify();
    }

    @Benchmark
    public AuthenticationResult oursOnTheJdk(AsDocumented state) {
        return verified(state.material);
    }

    @Benchmark
    public AuthenticationResult ours(Served state) {
        return verified(state.material);
    }

    static AuthenticationResult verified(Material material) {
        AuthenticationResult result = material.service.finishAuthentication(Material.USER, material.assertion);
        if (!result.verified()) {
            throw new IllegalStateException("the assertion was refused");
        }
        return result;
    }
}
