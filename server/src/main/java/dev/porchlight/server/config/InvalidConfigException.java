// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The configuration is invalid, or this machine cannot provide it, such as a port that is in use. Contains all faults. */
public final class InvalidConfigException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient List<Fault> faults;
    private final transient List<String> warnings;

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

    InvalidConfigException(List<Fault> faults, List<String> warnings, @Nullable Throwable cause) {
        super(faults.stream().map(Fault::toString).collect(Collectors.joining("\n")), cause);
        this.faults = List.copyOf(faults);
        this.warnings = List.copyOf(warnings);
    }

    /** A valid setting that this machine cannot provide. */
    public InvalidConfigException(Setting<?> setting, String problem, String fix, Throwable cause) {
        this(List.of(new Fault(setting, problem, fix)), List.of(), cause);
    }

    public List<Fault> faults() {
        return faults;
    }

    /** What is probably a mistake as well, a sentence each. */
    public List<String> warnings() {
        return warnings;
    }
}
