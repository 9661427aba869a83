// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.oracle;

import static java.util.Map.entry;

import dev.porchlight.testkit.tamper.Lie;
import java.util.Map;

/** The code each lie must be refused with: that of the step it is aimed at, but for a few that a step has two codes for. */
public final class ExpectedCodes {
    private static final Map<String, String> BY_STEP = Map.ofEntries(
            entry("7.1.3", "malformed_response"),
            entry("7.1.5", "malformed_client_data"),
            entry("7.1.6", "malformed_client_data"),
            entry("7.1.7", "type_mismatch"),
            entry("7.1.8", "challenge_not_found"),
            entry("7.1.9", "origin_mismatch"),
            entry("7.1.10", "token_binding"),
            entry("7.1.12", "malformed_authenticator_data"),
            entry("7.1.13", "rp_id_hash_mismatch"),
            entry("7.1.14", "user_not_present"),
            entry("7.1.15", "user_not_verified"),
            entry("7.1.16", "bad_public_key"),
            entry("7.1.18", "attestation_format"),
            entry("7.1.19", "attestation_invalid"),
            entry("7.1.21", "attestation_untrusted"),
            entry("7.1.22", "credential_exists"),
            entry("7.1.23", "credential_id_mismatch"),
            entry("7.2.3", "malformed_response"),
            entry("7.2.5", "unknown_credential"),
            entry("7.2.6", "user_handle_mismatch"),
            entry("7.2.7", "unknown_credential"),
            entry("7.2.8", "malformed_authenticator_data"),
            entry("7.2.9", "malformed_client_data"),
            entry("7.2.10", "malformed_client_data"),
            entry("7.2.11", "type_mismatch"),
            entry("7.2.12", "challenge_not_found"),
            entry("7.2.13", "origin_mismatch"),
            entry("7.2.14", "token_binding"),
            entry("7.2.15", "rp_id_hash_mismatch"),
            entry("7.2.16", "user_not_present"),
            entry("7.2.17", "user_not_verified"),
            entry("7.2.18", "backup_state_invalid"),
            entry("7.2.20", "bad_signature"),
            entry("7.2.21", "sign_count"));

    /** Where a trap at a step has a code of its own. */
    private static final Map<String, String> BY_TRAP = Map.of(
            "7.1.9 P26", "cross_origin",
            "7.2.13 P26", "cross_origin",
            "7.1.15 P36", "backup_state_invalid",
            "7.1.16 P27", "alg_not_allowed",
            "7.2.6 P12", "credential_owner_mismatch");

    /** Where a single lie has. */
    private static final Map<String, String> BY_NAME = Map.of(
            "id-differs-from-raw-id", "credential_id_mismatch",
            "raw-id-differs-from-id", "credential_id_mismatch",
            "top-origin-without-a-frame", "top_origin",
            "backup-eligibility-lost", "backup_eligibility_changed");

    private ExpectedCodes() {}

    /** The code that refuses a lie; an oddity has none. */
    public static String of(Lie lie) {
        String step = lie.target().replaceFirst(" .*", "");
        // The attestation object and the authenticator data inside it are read in one step, and have a code each.
        String atStep = lie.name().startsWith("object-") ? "malformed_attestation" : BY_STEP.get(step);
        return BY_NAME.getOrDefault(lie.name(), BY_TRAP.getOrDefault(lie.target(), atStep));
    }
}
