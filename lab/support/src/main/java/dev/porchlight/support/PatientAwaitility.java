// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.support;

import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** Makes {@link Patience#LIMIT} Awaitility's default in every module that has this one on its test class path. */
public final class PatientAwaitility implements LauncherSessionListener {
    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(Patience.LIMIT);
    }
}
