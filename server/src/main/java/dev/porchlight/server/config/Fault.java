// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

/**
 * A setting that cannot be used.
 *
 * @param wrong what is wrong with it
 * @param right what is needed instead
 */
public record Fault(Setting<?> setting, String wrong, String right) {
    @Override
    public String toString() {
        return setting + " " + wrong + ": " + right;
    }
}
