// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.otlp;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.net.URI;
import java.net.URL;
import org.jspecify.annotations.Nullable;

/** The version of this library, from its module descriptor. On the class path, the descriptor is read from the jar. */
public final class LibraryVersion {
    public static final String TEXT = find();

    private LibraryVersion() {}

    private static String find() {
        ModuleDescriptor descriptor = LibraryVersion.class.getModule().getDescriptor();
        String found =
                (descriptor == null ? packaged() : descriptor.rawVersion().orElse(null));
        return found == null ? "unversioned" : found;
    }

    private static @Nullable String packaged() {
        String path = LibraryVersion.class.getName().replace('.', '/') + ".class";
        URL self = LibraryVersion.class.getResource("LibraryVersion.class");
        if (self == null || !self.toString().endsWith(path)) {
            return null;
        }
        String root = self.toString().substring(0, self.toString().length() - path.length());
        try (InputStream file = URI.create(root + "module-info.class").toURL().openStream()) {
            ModuleDescriptor descriptor = ModuleDescriptor.read(file);
            boolean ours = LibraryVersion.class.getName().startsWith(descriptor.name() + ".");
            return ours ? descriptor.rawVersion().orElse(null) : null;
        } catch (IOException | RuntimeException missing) { // as in a shaded jar
            return null;
        }
    }
}
