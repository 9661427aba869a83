// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.page;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The files of the page. The console of the service has copies of the plots' files. */
public final class PageFiles {
    private static final String SCRIPT = "text/javascript; charset=utf-8";
    private static final String STYLES = "text/css; charset=utf-8";

    private static final Map<String, String> TYPES = Map.of(
            "index.html", "text/html; charset=utf-8",
            "dom.js", SCRIPT,
            "page.js", SCRIPT,
            "period.js", SCRIPT,
            "plot-format.js", SCRIPT,
            "plots.js", SCRIPT,
            "signals.js", SCRIPT,
            "texts.js", SCRIPT,
            "page.css", STYLES,
            "plots.css", STYLES);

    private PageFiles() {}

    /** Returns the content type of a file, or null if the page has no file of that name. */
    public static @Nullable String type(String name) {
        return TYPES.get(name);
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
