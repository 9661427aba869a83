// SPDX-License-Identifier: Apache-2.0
/** What is known about persons: their profiles, the rules for the members of one, and the search for users by them. */
package dev.porchlight.server.people;
