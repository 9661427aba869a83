// SPDX-License-Identifier: Apache-2.0
/**
 * Parses received bytes. A part is well-formed or refused; the ceremonies verify its content.
 *
 * <ul>
 *   <li>{@code CborReader} to {@code CborValue}: CBOR; JSON and bytes are in the module {@code base};
 *   <li>{@code RegistrationResponse}, {@code AuthenticationResponse}: the JSON that a browser sends;
 *   <li>{@code CollectedClientData}, {@code AttestationObject}, {@code AuthenticatorData}: the parts of a response.
 * </ul>
 */
package dev.porchlight.passkey.data;
