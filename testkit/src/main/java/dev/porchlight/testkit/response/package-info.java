// SPDX-License-Identifier: Apache-2.0
/**
 * The mutable parts of responses: client data, authenticator data, credentials. {@code Seams} are the places where mutations
 * apply. Not exported.
 */
package dev.porchlight.testkit.response;
