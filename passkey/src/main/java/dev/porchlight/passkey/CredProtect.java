// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.passkey.Extension.Form;
import dev.porchlight.passkey.Extensions.CredentialProtection;
import java.util.List;
import java.util.Optional;

/** When an authenticator requires user verification (CTAP 2.1, section 12.1). */
final class CredProtect {
    private static final String NAME = "credProtect";
    private static final List<CredentialProtection> POLICIES = List.of(CredentialProtection.values());

    static final List<Form> FORMS = POLICIES.stream()
            .map(policy -> new Form(
                    NAME + "=" + policy.value, (builder, value) -> builder.credentialProtection(policy, false)))
            .toList();

    private CredProtect() {}

    static Extension of(CredentialProtection policy, boolean enforced) {
        // Browsers refuse to enforce what every authenticator does.
        return new Extension(
                NAME,
                "",
                options -> options.text("credentialProtectionPolicy", policy.value)
                        .bool(
                                "enforceCredentialProtectionPolicy",
                                enforced && policy != CredentialProtection.OPTIONAL));
    }

    static Optional<CredentialProtection> policy(ExtensionOutputs outputs) {
        return outputs.signedNumber(NAME, POLICIES.size()).map(number -> POLICIES.get((int) (number - 1)));
    }
}
