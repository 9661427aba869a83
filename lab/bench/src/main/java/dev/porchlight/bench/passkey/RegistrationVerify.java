// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.passkey;

import com.webauthn4j.data.RegistrationData;
import dev.porchlight.passkey.RegistrationResult;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Verifies one registration with attestation {@code none}, from its JSON to the result. */
@State(Scope.Thread)
public class RegistrationVerify {
    private final Material material = new Material(null);
    private final Webauthn4j webauthn4j = new Webauthn4j(material);
    private final Yubico yubico = new Yubico(material);

    @Benchmark
    public RegistrationData webauthn4j() {
        return webauthn4j.register();
    }

    @Benchmark
    public com.yubico.webauthn.RegistrationResult yubico() throws Exception {
        return yubico.register();
    }

    @Benchmark
    public RegistrationResult ours() {
        RegistrationResult result = material.service.finishRegistration(Material.USER, material.registration);
        if (!result.registered()) {
            throw new IllegalStateException("the registration was refused");
        }
        return result;
    }
}
