// SPDX-License-Identifier: Apache-2.0
/**
 * Tests passkey integrations without hardware. {@code SoftAuthenticator} stores the passkeys and {@code SoftBrowser} connects
 * it to the page. Both use the JSON of WebAuthn, so that any relying party can be tested. Package {@code tamper} lists
 * mutations of responses; package {@code contract} has tests for stores.
 */
package dev.porchlight.testkit;
