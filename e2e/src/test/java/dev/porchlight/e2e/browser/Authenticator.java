// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.openqa.selenium.chrome.ChromeDriver;

/** A virtual authenticator of the page that is open, and the person who touches it. */
final class Authenticator {
    private final ChromeDriver driver;
    private final String id;

    private Authenticator(ChromeDriver driver, String id) {
        this.driver = driver;
        this.id = id;
    }

    /** A phone's or laptop's own authenticator, which verifies its user and whose user agrees to everything. */
    static Authenticator platform(ChromeDriver driver) {
        return plug(
                driver, Map.of("transport", "internal", "defaultBackupEligibility", true, "defaultBackupState", true));
    }

    /** A security key with a PIN. */
    static Authenticator securityKey(ChromeDriver driver) {
        return plug(driver, Map.of("transport", "usb"));
    }

    private static Authenticator plug(ChromeDriver driver, Map<String, Object> more) {
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
        options.putAll(more);
        Object id = driver.executeCdpCommand("WebAuthn.addVirtualAuthenticator", Map.of("options", options))
                .get("authenticatorId");
        return new Authenticator(driver, (String) id);
    }

    /** Whether its user passes the fingerprint reader, or knows the PIN. */
    void userVerifies(boolean verified) {
        set("setUserVerified", "isUserVerified", verified);
    }

    /** Whether its user is there to touch it. While not, requests wait. */
    void userIsThere(boolean there) {
        set("setAutomaticPresenceSimulation", "enabled", there);
    }

    /** Whether the signatures it makes are wrong. */
    void signsWrongly(boolean wrongly) {
        set("setResponseOverrideBits", "isBogusSignature", wrongly);
    }

    /** Whether it leaves the flag of user verification out, whatever was asked for. */
    void forgetsVerification(boolean forgets) {
        set("setResponseOverrideBits", "isBadUV", forgets);
    }

    @SuppressWarnings("unchecked") // as the protocol defines it
    List<Map<String, Object>> credentials() {
        return (List<Map<String, Object>>) command("getCredentials", Map.of()).get("credentials");
    }

    /** The ids of its credentials, as the service writes them. */
    List<String> credentialIds() {
        return credentials().stream()
                .map(credential -> Base64.getDecoder().decode((String) credential.get("credentialId")))
                .map(Base64.getUrlEncoder().withoutPadding()::encodeToString)
                .toList();
    }

    void add(Map<String, Object> credential) {
        command("addCredential", Map.of("credential", credential));
    }

    void unplug() {
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
