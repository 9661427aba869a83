// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.console;

import static dev.porchlight.server.config.Settings.ATTESTATION;
import static dev.porchlight.server.config.Settings.CHALLENGE_TTL_MS;
import static dev.porchlight.server.config.Settings.DATABASE_URL;
import static dev.porchlight.server.config.Settings.MAX_PASSKEYS_PER_USER;
import static dev.porchlight.server.config.Settings.RATE_LIMIT_PER_MINUTE;
import static dev.porchlight.server.config.Settings.RP_ID;
import static dev.porchlight.server.config.Settings.RP_ORIGIN;
import static dev.porchlight.server.config.Settings.RP_RELATED_ORIGINS;
import static dev.porchlight.server.config.Settings.SESSION_SECRET;
import static dev.porchlight.server.config.Settings.SIGNUP;
import static dev.porchlight.server.config.Settings.SIGN_COUNT_POLICY;
import static dev.porchlight.server.config.Settings.TRUSTED_PROXIES;
import static dev.porchlight.server.config.Settings.USER_VERIFICATION;

import dev.porchlight.passkey.verify.Step;
import dev.porchlight.server.auth.CanaryUser;
import dev.porchlight.server.config.Setting;
import dev.porchlight.server.console.CeremonyEvent.ServerAct;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every way in which a ceremony can end badly, in words for an operator, with the setting to look at. */
public final class Causes {
    private static final String CLIENT_FAULT =
            "The page or the app that calls the service builds this itself. Have it send what the browser returns,"
                    + " unchanged.";
    private static final String AUTHENTICATOR_FAULT =
            "A genuine authenticator does not do this. Look for tampering on the way, or for a faulty authenticator.";
    private static final String NOTHING = "Nothing is wrong with the service.";

    private Causes() {}

    /** Why an act of the server ended badly; null if it did not. */
    static @Nullable Cause of(ServerAct act) {
        if (act.good()) {
            return null;
        }
        if (act.refusedAt() != null) {
            return of(act.refusedAt());
        }
        return act.outcome().equals("refused")
                ? new Cause(
                        CanaryUser.REFUSED,
                        "Somebody who is not the canary has a passkey of its user, and was refused.",
                        "Nobody can register one: find out who wrote it into the database, and what else they wrote.",
                        List.of())
                : new Cause(
                        "failed",
                        "The service could not do its part: something it depends on failed.",
                        "Look at the health of the database, and in the log under the correlation id.",
                        List.of(DATABASE_URL));
    }

    /** What a step's refusal means. */
    public static Cause of(Step step) {
        return switch (step) {
            case MALFORMED_RESPONSE ->
                cause(step, "What was sent is not the JSON of a browser's credential.", CLIENT_FAULT);
            case MALFORMED_CLIENT_DATA -> cause(step, "The client data in the response cannot be read.", CLIENT_FAULT);
            case TYPE_MISMATCH ->
                cause(
                        step,
                        "The response is that of another kind of ceremony.",
                        "The page sent a registration where a login was asked for, or the reverse.");
            case CHALLENGE_NOT_FOUND ->
                cause(
                        step,
                        "The challenge was never given to this user, or it was used already.",
                        "Usually a page that was sent twice, or options of one user answered for another. With several "
                                + "instances, check that all of them use the same database.",
                        DATABASE_URL);
            case CHALLENGE_EXPIRED ->
                cause(
                        step,
                        "The person answered after the challenge had expired.",
                        "Now and then this is normal. If it is frequent, give people more time.",
                        CHALLENGE_TTL_MS);
            case WRONG_CEREMONY ->
                cause(step, "The challenge was given out for another kind of ceremony.", CLIENT_FAULT);
            case ORIGIN_MISMATCH ->
                cause(
                        step,
                        "The page's origin is not one this service accepts, or not the one the passkey was made at.",
                        "If the page is yours, its origin must be set, exactly as the browser writes it. If it is not, "
                                + "somebody tried to phish.",
                        RP_ORIGIN,
                        RP_RELATED_ORIGINS);
            case CROSS_ORIGIN ->
                cause(
                        step,
                        "The page was inside a frame of another origin.",
                        "Passkeys are not used inside frames here. Open the sign-in page by itself.");
            case TOP_ORIGIN ->
                cause(step, "The page was framed by a page that may not frame it.", "Open the sign-in page by itself.");
            case TOKEN_BINDING ->
                cause(step, "The client claims token binding, which was never agreed.", AUTHENTICATOR_FAULT);
            case MALFORMED_ATTESTATION -> cause(step, "The attestation object cannot be read.", CLIENT_FAULT);
            case MALFORMED_AUTHENTICATOR_DATA -> cause(step, "The authenticator's data cannot be read.", CLIENT_FAULT);
            case CREDENTIAL_ID_MISMATCH ->
                cause(step, "The response names one passkey here and another there.", CLIENT_FAULT);
            case RP_ID_HASH_MISMATCH ->
                cause(
                        step,
                        "The passkey belongs to another relying party id than this service's.",
                        "The page asked for another RP ID than the one set here, or the setting was changed after "
                                + "passkeys were made: they stay bound to the old one.",
                        RP_ID);
            case USER_NOT_PRESENT -> cause(step, "Nobody touched the authenticator.", AUTHENTICATOR_FAULT);
            case USER_NOT_VERIFIED ->
                cause(
                        step,
                        "The authenticator did not verify its user by fingerprint, face or PIN, and must.",
                        "Security keys without a PIN meet this. The person sets one, or the service asks for less.",
                        USER_VERIFICATION);
            case BACKUP_STATE_INVALID ->
                cause(step, "The authenticator's backup flags contradict each other.", AUTHENTICATOR_FAULT);
            case ALG_NOT_ALLOWED ->
                cause(
                        step,
                        "The key is for an algorithm that was not offered.",
                        "Only ES256 is offered. The page must hand the options on unchanged.");
            case BAD_PUBLIC_KEY -> cause(step, "The public key is not a sound one.", AUTHENTICATOR_FAULT);
            case ATTESTATION_FORMAT ->
                cause(
                        step,
                        "The attestation has a format that is unknown or retired.",
                        "Ask for no attestation unless you must know the make of authenticators.",
                        ATTESTATION);
            case ATTESTATION_INVALID ->
                cause(step, "The attestation does not verify.", AUTHENTICATOR_FAULT, ATTESTATION);
            case ATTESTATION_UNTRUSTED ->
                cause(
                        step,
                        "The attestation leads to no trust anchor.",
                        "This make of authenticator is not among those trusted.",
                        ATTESTATION);
            case CREDENTIAL_EXISTS ->
                cause(step, "This passkey is registered already.", "The person can sign in with it, if it is theirs.");
            case TOO_MANY_CREDENTIALS ->
                cause(
                        step,
                        "The user has as many passkeys as one may have.",
                        "The person removes one that is no longer used.",
                        MAX_PASSKEYS_PER_USER);
            case UNKNOWN_CREDENTIAL ->
                cause(
                        step,
                        "No such passkey is registered here.",
                        "It was removed from the account and is still on the device, or it belongs to another"
                                + " database. The person uses another passkey, or gets an enrolment link.",
                        DATABASE_URL);
            case INTEGRITY ->
                cause(
                        step,
                        "The passkey's row in the database is not as this service wrote it.",
                        "Somebody or something else changed it, or it was sealed under another secret. Find out who "
                                + "before you let the person in again.",
                        DATABASE_URL,
                        SESSION_SECRET);
            case CREDENTIAL_OWNER_MISMATCH ->
                cause(
                        step,
                        "The passkey belongs to another user than the one named.",
                        "The person picked a passkey of another account. Signing in without a user name avoids it.");
            case USER_HANDLE_MISMATCH ->
                cause(
                        step,
                        "The user handle is not that of the passkey's owner, or is missing.",
                        "If the user was made anew, old passkeys no longer fit: send an enrolment link.");
            case BACKUP_ELIGIBILITY_CHANGED ->
                cause(step, "A passkey that could be synchronised no longer can.", AUTHENTICATOR_FAULT);
            case BAD_SIGNATURE -> cause(step, "The signature is not that of the stored key.", AUTHENTICATOR_FAULT);
            case SIGN_COUNT ->
                cause(
                        step,
                        "The authenticator's counter did not grow: there may be a copy of it.",
                        "Ask the person. If they restored or cloned nothing, remove this passkey. By default only "
                                + "device-bound passkeys are refused; with flag none is.",
                        SIGN_COUNT_POLICY);
            case USER_LOCKED ->
                cause(
                        step,
                        "An operator has locked this user.",
                        "Find out why before you unlock the user with ./porchlight users unlock.");
        };
    }

    /** What the browser's own report means; null when it went well. */
    public static @Nullable Cause of(BrowserOutcome outcome) {
        return switch (outcome) {
            case OK -> null;
            case INSECURE ->
                cause(
                        outcome,
                        "The page was not loaded over https, without which browsers offer no passkeys.",
                        "Serve it over https, or use localhost.",
                        RP_ORIGIN);
            case UNSUPPORTED ->
                cause(
                        outcome,
                        "This browser or this authenticator cannot do what was asked.",
                        NOTHING + " The person can use a phone, or set a PIN for the security key.");
            case BLOCKED ->
                cause(
                        outcome,
                        "The browser did not open its passkey window.",
                        "It wants a click first, or a policy of the page or the organisation forbids it.");
            case DISMISSED ->
                cause(
                        outcome,
                        "The person closed the passkey window, or had no passkey there.",
                        NOTHING + " Browsers do not tell the two apart.");
            case TIMEOUT ->
                cause(
                        outcome,
                        "The passkey window stayed open until its time was over.",
                        NOTHING + " If it is frequent, give people more time.",
                        CHALLENGE_TTL_MS);
            case ABORTED -> cause(outcome, "Another ceremony took its place, or the page was left.", NOTHING);
            case DUPLICATE -> cause(outcome, "The device already has a passkey for this account.", NOTHING);
            case CONFIG ->
                cause(
                        outcome,
                        "The browser refused: the page's origin does not go with the RP ID.",
                        "The RP ID must be the host of the page or a registrable parent of it, and the page's origin"
                                + " one of those set.",
                        RP_ID,
                        RP_ORIGIN,
                        RP_RELATED_ORIGINS);
            case AUTHENTICATOR ->
                cause(
                        outcome,
                        "The passkey manager or the security key did not answer.",
                        NOTHING + " The person unlocks it and tries again.");
            case EXPIRED ->
                cause(
                        outcome,
                        "The answer came after the challenge had expired.",
                        "If it is frequent, give people more time.",
                        CHALLENGE_TTL_MS);
            case REFUSED ->
                cause(
                        outcome,
                        "The service refused, the browser says, and this instance has no record of it.",
                        "Another instance may have answered: look there, or in the log.");
            case EXISTS -> cause(outcome, "The user name is taken by somebody with a passkey.", NOTHING);
            case CLOSED -> cause(outcome, "Sign-up is closed.", "Send an enrolment link, or open sign-up.", SIGNUP);
            case LIMITED ->
                cause(
                        outcome,
                        "The client's address asked too often.",
                        "If many people share an address, raise the limit; behind a proxy, name it.",
                        RATE_LIMIT_PER_MINUTE,
                        TRUSTED_PROXIES);
            case UNAVAILABLE -> cause(outcome, "The service was not available.", "Look at its health.", DATABASE_URL);
            case NETWORK ->
                cause(
                        outcome,
                        "The browser could not reach the service.",
                        "The person was offline, or the service was.");
        };
    }

    private static Cause cause(Step step, String what, String advice, Setting<?>... settings) {
        return new Cause(step.code(), what, advice, List.of(settings));
    }

    private static Cause cause(BrowserOutcome outcome, String what, String advice, Setting<?>... settings) {
        return new Cause(outcome.code(), what, advice, List.of(settings));
    }
}
