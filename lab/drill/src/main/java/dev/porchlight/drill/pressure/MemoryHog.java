// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.pressure;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/** A thread inside another JVM that exhausts the heap, catches the error and continues. */
public final class MemoryHog {
    private static final String CLASS = MemoryHog.class.getName().replace('.', '/') + ".class";

    /** The allocated memory, as a linked list. */
    private static volatile @Nullable Object held;

    private MemoryHog() {}

    /** Starts the thread in the JVM of a process. */
    static void attach(long pid, Path directory) throws IOException {
        Path jar = directory.resolve("hog.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(new Attributes.Name("Agent-Class"), MemoryHog.class.getName());
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
                InputStream in =
                        Objects.requireNonNull(MemoryHog.class.getClassLoader()).getResourceAsStream(CLASS)) {
            out.putNextEntry(new JarEntry(CLASS));
            Objects.requireNonNull(in, CLASS).transferTo(out);
        }
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
            try {
                machine.loadAgent(jar.toString());
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException | AgentLoadException | AgentInitializationException e) {
            throw new IOException("cannot attach to " + pid, e);
        }
    }

    /** Called by the other JVM. */
    public static void agentmain(String unused) {
        Thread hog = new Thread(MemoryHog::run, "hog");
        hog.setDaemon(true);
        hog.start();
    }

    private static void run() {
        while (true) {
            try {
                held = new Object[] {held, new byte[1 << 20]};
            } catch (OutOfMemoryError swallowed) {
                Thread.onSpinWait(); // like code that catches Throwable
            }
        }
    }
}
