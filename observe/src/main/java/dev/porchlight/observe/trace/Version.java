// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.lang.module.ModuleDescriptor;
import org.jspecify.annotations.Nullable;

/** The version of this library, from the module's descriptor or the jar's manifest, whichever has it. */
final class Version {
    static final String TEXT = find();

    private Version() {}

    private static String find() {
        String fromModule = moduleVersion(Version.class.getModule().getDescriptor());
        if (fromModule != null) {
            return fromModule;
        }
        String fromManifest = Version.class.getPackage().getImplementationVersion();
        return fromManifest == null ? "unversioned" : fromManifest;
    }

    private static @Nullable String moduleVersion(@Nullable ModuleDescriptor descriptor) {
        return descriptor == null ? null : descriptor.rawVersion().orElse(null);
    }
}
