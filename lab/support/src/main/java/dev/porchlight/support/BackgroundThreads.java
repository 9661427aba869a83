// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.support;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Waits after each test for threads that still read its database, before the directory of the database is removed. */
public final class BackgroundThreads implements AfterEachCallback {
    private static final String NAME = "porchlight-decoys";

    @Override
    public void afterEach(ExtensionContext context) throws InterruptedException {
        Thread[] threads = new Thread[2 * Thread.activeCount()];
        int count = Thread.enumerate(threads);
        for (int i = 0; i < count; i++) {
            if (threads[i].getName().equals(NAME)) {
                threads[i].join(Patience.MILLIS);
            }
        }
    }
}
