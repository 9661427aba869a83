// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.web;

import dev.porchlight.server.config.ReturnUrls;
import java.util.List;

/**
 * The settings of the service that its pages show or depend on. Immutable.
 *
 * @param branding the name, logo and color
 * @param origin the origin of its passkeys
 * @param origins every origin whose pages can use its passkeys
 * @param signupOpen whether the sign-in page offers to create an account
 * @param sessions whether a login starts a session; otherwise the pages store the token
 * @param adminToken whether the console requires the admin token
 * @param consoleLink whether the user pages link to the console
 * @param returnUrls where the sign-in page may send users back to
 */
public record PageSettings(
        Branding branding,
        String origin,
        List<String> origins,
        boolean signupOpen,
        boolean sessions,
        boolean adminToken,
        boolean consoleLink,
        ReturnUrls returnUrls) {}
