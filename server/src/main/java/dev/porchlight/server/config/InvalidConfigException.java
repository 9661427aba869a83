// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import java.util.List;
import java.util.stream.Collectors;

/** The configuration is invalid. Contains all faults. */
public final class InvalidConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<Fault> faults;

    InvalidConfigException(List<Fault> faults) {
        super(faults.stream().map(Fault::toString).collect(Collectors.joining("\n")));
        this.faults = List.copyOf(faults);
    }

    public List<Fault> faults() {
        return faults;
    }
}
