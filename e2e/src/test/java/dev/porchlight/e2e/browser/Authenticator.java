// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.openqa.selenium.chrome.ChromeDriver;

/** A virtual authenticator with a simulated user. */
final class Authenticator {
    private final ChromeDriver driver;
    private final String id;

    private Authenticator(ChromeDriver driver, String id) {
        this.driver = driver;
        this.id = id;
    }

    /** Creates a platform authenticator whose user consents to every request. */
    static Authenticator platform(ChromeDriver driver) {
        return create(
                driver, Map.of("transport", "internal", "defaultBackupEligibility", true, "defaultBackupState", true));
    }

    /** Creates a security key with a PIN. */
    static Authenticator securityKey(ChromeDriver driver) {
        return create(driver, Map.of("transport", "usb"));
    }

    /** Creates a platform authenticator whose passkeys support extensions. */
    static Authenticator withExtensions(ChromeDriver driver) {
        return create(
                driver, Map.of("transport", "internal", "hasPrf", true, "hasLargeBlob", true, "hasMinPinLength", true));
    }

    private static Authenticator create(ChromeDriver driver, Map<String, Object> extra) {
        driver.executeCdpCommand("WebAuthn.enable", Map.of());
        Map<String, Object> options = new HashMap<>(Map.of(
                "protocol",
                "ctap2",
                "ctap2Version",
                "ctap2_1",
                "hasResidentKey",
                true,
                "hasUserVerification",
                true,
                "isUserVerified",
                true,
                "automaticPresenceSimulation",
                true));
        options.putAll(extra);
        Object id = driver.executeCdpCommand("WebAuthn.addVirtualAuthenticator", Map.of("options", options))
                .get("authenticatorId");
        return new Authenticator(driver, (String) id);
    }

    /** Sets whether user verification succeeds. */
    void setUserVerified(boolean verified) {
        set("setUserVerified", "isUserVerified", verified);
    }

    /** Sets whether the user is present. Requests wait while the user is absent. */
    void setUserPresent(boolean present) {
        set("setAutomaticPresenceSimulation", "enabled", present);
    }

    /** Sets whether signatures are invalid. */
    void setBogusSignatures(boolean bogus) {
        set("setResponseOverrideBits", "isBogusSignature", bogus);
    }

    /** Sets whether responses lack the UV flag. */
    void setBadUserVerification(boolean bad) {
        set("setResponseOverrideBits", "isBadUV", bad);
    }

    /** Sets whether responses lack the UP and UV flags, like those of a passkey that a password manager creates on its own. */
    void setUnprompted(boolean unprompted) {
        command("setResponseOverrideBits", Map.of("isBadUP", unprompted, "isBadUV", unprompted));
    }

    @SuppressWarnings("unchecked") // defined by the protocol
    List<Map<String, Object>> credentials() {
        return (List<Map<String, Object>>) command("getCredentials", Map.of()).get("credentials");
    }

    /** Returns the credential ids in base64url. */
    List<String> credentialIds() {
        return credentials().stream()
                .map(credential -> Base64.getDecoder().decode((String) credential.get("credentialId")))
                .map(Base64.getUrlEncoder().withoutPadding()::encodeToString)
                .toList();
    }

    void add(Map<String, Object> credential) {
        command("addCredential", Map.of("credential", credential));
    }

    void remove() {
        command("removeVirtualAuthenticator", Map.of());
    }

    private void set(String command, String name, boolean value) {
        command(command, Map.of(name, value));
    }

    private Map<String, Object> command(String name, Map<String, Object> parameters) {
        Map<String, Object> all = new HashMap<>(parameters);
        all.put("authenticatorId", id);
        return driver.executeCdpCommand("WebAuthn." + name, all);
    }
}
