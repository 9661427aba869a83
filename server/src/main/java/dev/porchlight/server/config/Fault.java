// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

/**
 * An invalid or unusable setting.
 *
 * @param problem what is wrong, such as {@code is missing}
 * @param fix what is accepted, or what to do
 */
public record Fault(Setting<?> setting, String problem, String fix) {
    @Override
    public String toString() {
        return setting + " " + problem + ": " + fix;
    }
}
