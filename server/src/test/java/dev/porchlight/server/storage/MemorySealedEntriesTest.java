// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

class MemorySealedEntriesTest extends SealedEntriesContract {
    private final MemorySealedEntries entries = new MemorySealedEntries();

    @Override
    protected SealedEntries entries() {
        return entries;
    }
}
