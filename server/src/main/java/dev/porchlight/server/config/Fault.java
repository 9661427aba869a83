// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

/**
 * One thing that is wrong with the configuration.
 *
 * @param variable the environment variable
 * @param wrong what is wrong
 * @param right what would be right
 */
public record Fault(String variable, String wrong, String right) {
    @Override
    public String toString() {
        return variable + " " + wrong + ": " + right;
    }
}
