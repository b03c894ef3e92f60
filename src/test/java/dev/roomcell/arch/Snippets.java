package dev.roomcell.arch;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Small classes that break a rule, or just do not: compiled for a test and never part of the tree. */
final class Snippets {
    private final List<JavaFileObject> sources = new ArrayList<>();

    /** Adds a class to a package, for others to use. */
    void add(String packageName, String className, String code) {
        sources.add(new Source(packageName + "." + className, "package " + packageName + "; " + code));
    }

    /** Compiles all into {@code folder} and imports them. */
    JavaClasses compile(Path folder) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        assertThat(compiler).as("tests run on a JDK").isNotNull();
        StringWriter complaints = new StringWriter();
        List<String> options = List.of(
                "-d", folder.toString(), "-classpath", System.getProperty("java.class.path"), "-proc:none", "-nowarn");
        boolean compiled =
                compiler.getTask(complaints, null, null, options, null, sources).call();
        assertThat(compiled).as(complaints.toString()).isTrue();
        return new ClassFileImporter().importPath(folder);
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String code;

        Source(String className, String code) {
            super(URI.create("string:///" + className.replace('.', '/') + ".java"), Kind.SOURCE);
            this.code = code;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return code;
        }
    }
}
