// SPDX-License-Identifier: Apache-2.0
/**
 * What responses are made of, each part open to change until it is signed: client data, authenticator data,
 * credentials. {@code Seams} are the places between the parts where a mutation can be told. Not exported.
 */
package dev.porchlight.testkit.response;
