package dev.roomcell.dev;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Embedded servers in a JVM of their own, which tests may kill. */
final class ServersMain {
    private ServersMain() {}

    /**
     * Starts servers on the named or else on a temporary home; drains and closes them on SIGTERM, and when the
     * test's JVM is gone.
     */
    public static void main(String[] args) throws IOException {
        EmbeddedServers servers =
                args.length == 0 ? EmbeddedServers.startTemporary() : EmbeddedServers.start(Path.of(args[0]));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> drain(servers)));
        System.out.println("ready " + servers.mysqlPid() + " " + servers.redisPid());
        System.in.readAllBytes();
        System.exit(0);
    }

    private static void drain(EmbeddedServers servers) {
        System.out.println("draining, redis says " + Talk.redis(servers, "PING") + ", mysql says "
                + Talk.mysql(servers, "SELECT 40 + 2"));
        servers.close();
        System.out.println("drained");
    }

    /** A started JVM, seen from the test. */
    record Child(Process process, BufferedReader output, Path errors) {
        /**
         * Reads the child's output up to the line that begins so, past what it logs.
         *
         * @throws AssertionError if its output ends before; the message has what it said on standard error
         */
        String lineOf(String beginning) throws IOException {
            String line = output.readLine();
            while (line != null && !line.startsWith(beginning)) {
                line = output.readLine();
            }
            if (line == null) {
                throw new AssertionError("no '" + beginning + "' before the end: " + Files.readString(errors));
            }
            return line;
        }
    }

    /**
     * Starts this class in a new JVM, in a session and process group of its own.
     *
     * @param home null for a temporary one
     * @param errors file for what the JVM says on standard error
     */
    static Child spawn(@Nullable Path home, Path errors, Map<String, String> environment, String... jvmArguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of("setsid"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx128m");
        command.addAll(List.of(jvmArguments));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ServersMain.class.getName()));
        if (home != null) {
            command.add(home.toString());
        }
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        return new Child(process, process.inputReader(StandardCharsets.UTF_8), errors);
    }
}
