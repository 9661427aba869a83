// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.metadata;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Which models of authenticators may be used. Immutable.
 *
 * <p>A new passkey is refused if its model is denied, compromised, not among the allowed ones, or not certified as required.
 * An authentication is flagged or refused if the model is denied or compromised by now.
 *
 * <p>The model of a passkey is only a claim of the browser, unless its attestation is trusted. An allow-list or a level of
 * certification therefore requires attestation by default.
 *
 * @param allowed the AAGUIDs of the only models that may be registered; empty for all
 * @param denied the AAGUIDs of models that may not be used
 * @param minimum the certification that new passkeys need
 * @param attestationRequired whether a new passkey needs a trusted attestation
 * @param signIn what happens at an authentication with a model that is denied or compromised
 */
public record AuthenticatorPolicy(
        Set<String> allowed,
        Set<String> denied,
        Optional<CertificationLevel> minimum,
        boolean attestationRequired,
        SignIn signIn) {
    /** Refuses new passkeys of compromised models, and flags authentications with them. */
    public static final AuthenticatorPolicy DEFAULT =
            new AuthenticatorPolicy(Set.of(), Set.of(), Optional.empty(), false, SignIn.FLAG);

    private static final Set<String> MEMBERS =
            Set.of("allow", "deny", "minimumCertification", "requireAttestation", "signIn");

    /** What happens at an authentication with a model that is denied or compromised. */
    public enum SignIn {
        ACCEPT,
        /** It succeeds and is reported. */
        FLAG,
        REFUSE
    }

    public AuthenticatorPolicy {
        allowed = Set.copyOf(allowed);
        denied = Set.copyOf(denied);
    }

    /**
     * Reads a policy such as <code>{"deny": ["fcb1bcb4-f370-078c-6993-bc24d0ae3fbe"], "signIn": "refuse"}</code>. Unknown
     * members are refused, because a misspelled rule would not apply.
     */
    public static AuthenticatorPolicy parse(String json) throws MalformedException {
        JsonObject policy = JsonObject.parse(json, "");
        for (String name : policy.names()) {
            if (!MEMBERS.contains(name)) {
                throw policy.malformed(
                        name, "not one of allow, deny, minimumCertification, requireAttestation, signIn");
            }
        }
        Set<String> allowed = aaguids(policy, "allow");
        String label = policy.optionalText("minimumCertification");
        var minimum = CertificationLevel.of(String.valueOf(label));
        if (label != null && minimum.isEmpty()) {
            throw policy.malformed("minimumCertification", "not one of L1, L1+, L2, L2+, L3, L3+");
        }
        Boolean required = policy.optionalBool("requireAttestation");
        return new AuthenticatorPolicy(
                allowed,
                aaguids(policy, "deny"),
                minimum,
                required == null ? !allowed.isEmpty() || minimum.isPresent() : required,
                signIn(policy));
    }

    private static Set<String> aaguids(JsonObject policy, String name) throws MalformedException {
        List<String> aaguids = policy.texts(name);
        if (!aaguids.stream().allMatch(AuthenticatorModel::isAaguid)) {
            throw policy.malformed(name, "contains an AAGUID that is not a UUID in lower case");
        }
        return Set.copyOf(aaguids);
    }

    private static SignIn signIn(JsonObject policy) throws MalformedException {
        String text = policy.optionalText("signIn");
        for (SignIn action : SignIn.values()) {
            if (action.name().toLowerCase(Locale.ROOT).equals(text)) {
                return action;
            }
        }
        if (text != null) {
            throw policy.malformed("signIn", "not one of accept, flag, refuse");
        }
        return SignIn.FLAG;
    }

    /** Returns what speaks against a registered passkey of this model, or empty for nothing. */
    public Optional<String> suspicion(String aaguid, Optional<AuthenticatorModel> model, LocalDate day) {
        if (denied.contains(aaguid)) {
            return Optional.of("AAGUID " + aaguid + " is denied");
        }
        return model.flatMap(known -> known.compromise(day))
                .map(report -> "AAGUID " + aaguid + " has the status " + report.status());
    }

    /** Returns why a new passkey of this model is refused, or empty if it is not. */
    public Optional<String> refusal(String aaguid, Optional<AuthenticatorModel> model, LocalDate day) {
        var suspicion = suspicion(aaguid, model, day);
        if (suspicion.isPresent()) {
            return suspicion;
        }
        if (!allowed.isEmpty() && !allowed.contains(aaguid)) {
            return Optional.of("AAGUID " + aaguid + " is not among the allowed ones");
        }
        var level = model.flatMap(known -> known.certification(day));
        if (minimum.isPresent()
                && level.filter(certified -> certified.compareTo(minimum.get()) >= 0)
                        .isEmpty()) {
            return Optional.of("AAGUID " + aaguid + " is "
                    + level.map(certified -> "certified for " + certified.label() + " only")
                            .orElse(model.isPresent() ? "not certified" : "not in the metadata"));
        }
        return Optional.empty();
    }
}
