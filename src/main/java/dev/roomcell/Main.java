package dev.roomcell;

import dev.roomcell.adapter.redis.RedisFactReader;
import dev.roomcell.bench.BenchCommand;
import dev.roomcell.check.CheckCommand;
import dev.roomcell.check.ExplainGiftCommand;
import dev.roomcell.ctl.CtlCommand;
import dev.roomcell.demo.DemoCommand;
import dev.roomcell.sim.SimulateCommand;
import java.util.concurrent.ExecutionException;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of the jar. */
@Command(
        name = "room-service",
        mixinStandardHelpOptions = true,
        version = "room-service 1.0.0",
        description = "Owns live voice rooms: who is in, who sits where, who may speak.",
        subcommands = {
            ServeCommand.class,
            BenchCommand.class,
            CheckCommand.class,
            ExplainGiftCommand.class,
            SimulateCommand.class,
            CtlCommand.class
        },
        footer = {"", "A node with MariaDB and Redis embedded, from a checkout: mvn -Pdev"})
public final class Main {
    private Main() {}

    /** Runs one subcommand and ends the JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return oneLineErrors(new CommandLine(new Main()).addSubcommand(new DemoCommand(RedisFactReader::eventIds)));
    }

    /** Whatever a command throws is one clear line; the stack trace is for {@code LOG_LEVEL=debug}. */
    public static CommandLine oneLineErrors(CommandLine commandLine) {
        commandLine.setParameterExceptionHandler((wrong, args) -> {
            CommandLine command = wrong.getCommandLine();
            command.getErr()
                    .println(command.getCommandName() + ": " + wrong.getMessage() + " (--help shows the options)");
            return CommandLine.ExitCode.USAGE;
        });
        return commandLine.setExecutionExceptionHandler((failure, command, parsed) -> {
            Throwable cause = failure instanceof ExecutionException ? failure.getCause() : failure;
            command.getErr().println(command.getCommandName() + ": " + (cause == null ? failure : cause).getMessage());
            LoggerFactory.getLogger(Main.class).debug("command failed", failure);
            return CommandLine.ExitCode.SOFTWARE;
        });
    }
}
