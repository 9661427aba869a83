// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import java.io.IOException;

/** A valid setting that this machine cannot provide, such as a port that is in use. */
public final class UnusableSettingException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient Fault fault;

    public UnusableSettingException(Fault fault, Throwable cause) {
        super(fault.toString(), cause);
        this.fault = fault;
    }

    public Fault fault() {
        return fault;
    }
}
