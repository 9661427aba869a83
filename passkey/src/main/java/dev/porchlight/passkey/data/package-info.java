// SPDX-License-Identifier: Apache-2.0
/**
 * Received bytes, parsed and nothing more: a part is either well formed or refused, and never judged.
 *
 * <ul>
 *   <li>{@code CborReader} to {@code CborValue}: CBOR; JSON and bytes are those of the module {@code base};
 *   <li>{@code RegistrationResponse}, {@code AuthenticationResponse}: the JSON that a browser sends;
 *   <li>{@code CollectedClientData}, {@code AttestationObject}, {@code AuthenticatorData}: what they contain.
 * </ul>
 */
package dev.porchlight.passkey.data;
