package dev.roomcell.demo;

import dev.roomcell.client.RoomClient;
import dev.roomcell.client.RoomClientOptions;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code demo}: plays a party against a running service and checks every answer, and what the clients were sent. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = "Plays a party against a running service and checks every answer and message.",
        footer = {"", "Exit code: 0 if everything was as it must be, 1 if not, 2 on a bad option."})
public final class DemoCommand implements Callable<Integer> {
    private static final int ROOM_ID_RADIX = Character.MAX_RADIX;

    private final FactView facts;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--target",
            defaultValue = "127.0.0.1:7400",
            paramLabel = "HOST:PORT[,...]",
            description = "Nodes, or a load balancer before them (default: ${DEFAULT-VALUE}).")
    private String target = "";

    @Option(names = "--app", defaultValue = "demo", description = "app_code (default: ${DEFAULT-VALUE}).")
    private String app = "";

    @Option(
            names = "--ops",
            defaultValue = "127.0.0.1:7480",
            split = ",",
            paramLabel = "HOST:PORT",
            description = "The operators' port of each node (default: ${DEFAULT-VALUE}).")
    private List<String> ops = List.of();

    @Option(
            names = "--messages",
            defaultValue = "http://127.0.0.1:7490",
            paramLabel = "URL",
            description = "The sink that shows what rooms' clients are sent; none: there is none"
                    + " (default: ${DEFAULT-VALUE}).")
    private String messages = "";

    @Option(
            names = "--rtc",
            defaultValue = "http://127.0.0.1:7496",
            paramLabel = "URL",
            description = "The simulated RTC that tells the nodes who speaks; none: there is none"
                    + " (default: ${DEFAULT-VALUE}).")
    private String rtcAt = "";

    @Option(
            names = "--facts",
            defaultValue = "none",
            paramLabel = "HOST:PORT",
            description = "The Redis where facts arrive; none: don't look (default: ${DEFAULT-VALUE}).")
    private String factsAt = "";

    /** A demo that looks at facts through {@code facts}. */
    public DemoCommand(FactView facts) {
        this.facts = facts;
    }

    @Override
    public Integer call() {
        CommandLine commandLine = commandLine();
        RoomClientOptions options = options(commandLine);
        PrintWriter out = commandLine.getOut();
        Vertx vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(1)
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
        try {
            Stage stage = new Stage(out, consoleCharset());
            RoomClient client = RoomClient.create(vertx, options);
            String room = "demo-" + Long.toString(ThreadLocalRandom.current().nextLong(Long.MAX_VALUE), ROOM_ID_RADIX);
            out.println("a party at " + target + ", app " + app);
            boolean played = new FirstCalls(stage, client, app, room).play();
            if (played) {
                String party = room + "-party";
                Backstage backstage = new Backstage(vertx, ops, seen(messages), seen(rtcAt), factsSeen(vertx));
                new Party(stage, new Guests(client, app, party), backstage, party).play();
                if (backstage.seesRtc()) {
                    new RtcAct(stage, new Guests(client, app, room + "-rtc"), backstage).play();
                }
            }
            Stage.done(client.close());
            return stage.curtain() && played ? 0 : 1;
        } finally {
            Stage.done(vertx.close());
        }
    }

    private static Optional<String> seen(String url) {
        return url.equals("none") ? Optional.empty() : Optional.of(url.replaceAll("/+$", ""));
    }

    private Optional<Backstage.Facts> factsSeen(Vertx vertx) {
        return factsAt.equals("none")
                ? Optional.empty()
                : Optional.of((appCode, room) -> facts.eventIds(vertx, factsAt, appCode, room));
    }

    private static Charset consoleCharset() {
        String name = System.getProperty("stdout.encoding", System.getProperty("sun.stdout.encoding"));
        return name == null ? Charset.defaultCharset() : Charset.forName(name);
    }

    private RoomClientOptions options(CommandLine commandLine) {
        try {
            return RoomClientOptions.to(target);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(commandLine, "--target: " + e.getMessage(), e);
        }
    }

    private CommandLine commandLine() {
        if (spec == null) {
            throw new IllegalStateException("a command is run by picocli");
        }
        return spec.commandLine();
    }
}
