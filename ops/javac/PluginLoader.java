// SPDX-License-Identifier: Apache-2.0
import java.io.Closeable;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Loads the plugins of javac once per process; without it, javac loads them again for each module. */
public final class PluginLoader extends ClassLoader implements Closeable {
    private static final Map<String, ClassLoader> LOADERS = new HashMap<>();

    /** Called by javac with the processor path. */
    public PluginLoader(URL[] path, ClassLoader parent) {
        super(shared(path, parent));
    }

    private static synchronized ClassLoader shared(URL[] path, ClassLoader parent) {
        return LOADERS.computeIfAbsent(Arrays.toString(path), key -> new URLClassLoader(path, parent));
    }

    /** The classes stay loaded. */
    @Override
    public void close() {}
}
