// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring;

import java.util.List;

/** The properties say something that browsers would never accept, or leave out what must be said. */
public final class InvalidPropertiesException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> faults;

    InvalidPropertiesException(List<String> faults) {
        super(String.join("; ", faults));
        this.faults = List.copyOf(faults);
    }

    /** All that is wrong, each with its property. */
    public List<String> faults() {
        return faults;
    }
}
