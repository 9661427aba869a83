// SPDX-License-Identifier: Apache-2.0
/** Directories for tests. */
package dev.porchlight.testkit.files;
