// SPDX-License-Identifier: Apache-2.0
/**
 * Received bytes, parsed and nothing more: a part is either well formed or refused, and never judged.
 *
 * <ul>
 *   <li>{@code Bytes}, {@code Base64Url}, {@code MalformedException}: what everything here is made of;
 *   <li>{@code CborReader} to {@code CborValue}, {@code JsonObject} and {@code JsonWriter}: the two notations;
 *   <li>{@code RegistrationResponse}, {@code AuthenticationResponse}: the JSON that a browser sends;
 *   <li>{@code CollectedClientData}, {@code AttestationObject}, {@code AuthenticatorData}: what they contain.
 * </ul>
 */
package dev.porchlight.passkey.data;
