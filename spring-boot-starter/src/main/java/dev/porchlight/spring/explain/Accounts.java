// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.explain;

/** The accounts of the application, for explanations to operators. Implementations must be thread-safe. */
@FunctionalInterface
public interface Accounts {
    /** Returns whether a user with this name exists, or may exist because the application checks no accounts. */
    boolean mayExist(String userId);
}
