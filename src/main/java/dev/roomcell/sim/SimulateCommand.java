package dev.roomcell.sim;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code simulate}: whole clusters in one thread, each from one seed. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Lets clusters of three nodes live through faults in simulated time, each from one seed, and checks all that",
            "was stored and told. Needs no database, no Redis and no network."
        },
        footer = {
            "",
            "A seed that fails is told with the last that happened before; --seed X --seeds 1 --trace tells all of it.",
            "Exit code: 0 if all is as it must be, 1 on a violation, 2 on a bad option."
        })
public final class SimulateCommand implements Callable<Integer> {
    private static final int OK = 0;
    private static final int VIOLATED = 1;

    private final Flaw flaw;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--seeds", defaultValue = "100", description = "So many seeds (default: ${DEFAULT-VALUE}).")
    private long seeds;

    @Option(names = "--seed", defaultValue = "1", description = "The first of them (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--threads",
            defaultValue = "0",
            description =
                    "Simulations at a time, each on one thread; 0 takes the processors (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(names = "--trace", description = "Print everything that happens. Seeds go one after the other.")
    private boolean trace;

    @Option(names = "--json", description = "Print the result as JSON too, as the last line.")
    private boolean json;

    /** The command, for clusters as they are. */
    public SimulateCommand() {
        this(Flaw.NONE);
    }

    SimulateCommand(Flaw flaw) {
        this.flaw = flaw;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (spec == null) {
            throw new IllegalStateException("a command is run by picocli");
        }
        if (seeds < 1 || threads < 0) {
            throw new ParameterException(
                    spec.commandLine(), seeds < 1 ? "--seeds: at least 1" : "--threads: at least 0");
        }
        PrintWriter out = spec.commandLine().getOut();
        int atATime = trace ? 1 : threads == 0 ? Runtime.getRuntime().availableProcessors() : threads;
        SeedReport report = new SeedReport(out, trace);
        long beganNs = System.nanoTime();
        new Seeds(seed, seeds, atATime, trace, flaw).run(report::add);
        report.end(System.nanoTime() - beganNs, json);
        out.flush();
        return report.failed() == 0 ? OK : VIOLATED;
    }
}
