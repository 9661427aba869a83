// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** A class that stands in the documentation, to be compiled as a reader would. */
public final class JavaSource extends SimpleJavaFileObject {
    private final String code;

    public JavaSource(String className, String code) {
        super(URI.create("string:///" + className + ".java"), Kind.SOURCE);
        this.code = code;
    }

    /** Compiles it for the oldest JDK we support, with nothing beside it but this class path; it must succeed. */
    public void compile(String classPath, Path out) {
        var complaints = new StringWriter();
        var options = List.of("-cp", classPath, "-d", out.toString(), "--release", "17", "-proc:none");
        boolean compiled = ToolProvider.getSystemJavaCompiler()
                .getTask(complaints, null, null, options, null, List.of(this))
                .call();
        assertThat(compiled).as(complaints.toString()).isTrue();
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return code;
    }
}
