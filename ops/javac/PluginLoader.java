// SPDX-License-Identifier: Apache-2.0
import java.io.Closeable;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;

/** Loads the plugins of javac once per process; without it, javac loads them again for each module. */
public final class PluginLoader extends ClassLoader implements Closeable {
    private static List<URL> sharedPath;
    private static ClassLoader shared;

    /** Called by javac with the processor path. */
    public PluginLoader(URL[] path, ClassLoader parent) {
        super(loader(List.of(path), parent));
    }

    /** The first module has the path that all modules share, and some add processors to it. */
    private static synchronized ClassLoader loader(List<URL> path, ClassLoader parent) {
        if (shared == null) {
            sharedPath = path;
            shared = new URLClassLoader(path.toArray(URL[]::new), parent);
        }
        List<URL> added = new ArrayList<>(path);
        added.removeAll(sharedPath);
        if (added.isEmpty()) return shared;
        return new URLClassLoader(added.toArray(URL[]::new), shared);
    }

    /** The classes stay loaded. */
    @Override
    public void close() {}
}
