// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of the pages and the client helper in Chromium with a virtual authenticator.
 *
 * <p>{@code Browser} starts a {@code Site} and opens its pages. A test fails if the browser console has an error or a content
 * security policy violation, or if {@code Axe} finds an accessibility violation. {@code Chromium} is the browser process,
 * {@code Authenticator} the virtual authenticator.
 */
package dev.porchlight.e2e.browser;
