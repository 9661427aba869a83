// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.page;

import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The files of the page. The console of the service has copies of the plots' files. */
public final class PageFiles {
    private static final Set<String> SCRIPTS = Set.of(
            "dom.js", "page.js", "period.js", "plot-format.js", "plot-texts.js", "plots.js", "signals.js", "texts.js");

    private PageFiles() {}

    /** Returns the content type of a file, or null if the page has no file of that name. */
    public static @Nullable String type(String name) {
        return switch (name) {
            case "index.html" -> "text/html; charset=utf-8";
            case "page.css", "plots.css" -> "text/css; charset=utf-8";
            default -> SCRIPTS.contains(name) ? "text/javascript; charset=utf-8" : null;
        };
    }

    /** Reads a file of the page. */
    public static byte[] read(String name) throws IOException {
        try (InputStream file = PageFiles.class.getResourceAsStream(name)) {
            if (file == null) {
                throw new IOException("missing resource: " + name);
            }
            return file.readAllBytes();
        }
    }
}
