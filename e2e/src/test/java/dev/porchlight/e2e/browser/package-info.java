// SPDX-License-Identifier: Apache-2.0
/**
 * The pages and the client helper in a real Chromium with a virtual authenticator.
 *
 * <p>{@code Browser} is what a test holds; it serves a {@code Site}, opens its pages, and fails a test that leaves an error
 * in the console, a report of the content security policy, or a violation that {@code Axe} finds. {@code Chromium} is the
 * process, {@code Authenticator} the device in the user's hand.
 */
package dev.porchlight.e2e.browser;
