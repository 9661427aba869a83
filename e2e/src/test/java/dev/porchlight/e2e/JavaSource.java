// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** A class from the documentation, to be compiled. */
public final class JavaSource extends SimpleJavaFileObject {
    private final String code;

    public JavaSource(String className, String code) {
        super(URI.create("string:///" + className + ".java"), Kind.SOURCE);
        this.code = code;
    }

    /** Compiles the class for the oldest supported JDK with exactly this class path. */
    public void compile(String classPath, Path out) {
        var errors = new StringWriter();
        var options = List.of("-cp", classPath, "-d", out.toString(), "--release", "17", "-proc:none");
        boolean compiled = ToolProvider.getSystemJavaCompiler()
                .getTask(errors, null, null, options, null, List.of(this))
                .call();
        assertThat(compiled).as(errors.toString()).isTrue();
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return code;
    }
}
