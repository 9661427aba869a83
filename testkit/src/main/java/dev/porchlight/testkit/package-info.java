// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of passkey integrations without hardware: {@code SoftAuthenticator} holds the passkeys, {@code SoftBrowser}
 * stands between it and the page. Both speak WebAuthn's JSON, so that any relying party can be judged. The mutations they
 * can tell are listed in {@code tamper}; what a store must promise is in {@code contract}.
 */
package dev.porchlight.testkit;
