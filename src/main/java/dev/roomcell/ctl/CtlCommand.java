package dev.roomcell.ctl;

import dev.roomcell.ctl.NodeControl.UnreachableException;
import dev.roomcell.proto.room.admin.v1.NodeState;
import dev.roomcell.proto.room.admin.v1.NodeStatus;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ctl}: what an operator does to a running node. */
@Command(
        name = "ctl",
        mixinStandardHelpOptions = true,
        description = "Looks at a running node, or takes it out of service and back.",
        footer = {
            "",
            "Exit code: 0 if the node is as asked, 1 if it is not (yet), 2 on a bad option, 3 if it can't be reached."
        })
public final class CtlCommand {
    private static final int NOT_YET = 1;
    private static final int UNREACHABLE = 3;
    private static final long LOOK_MS = 250;
    private static final int LARGEST_PORT = 65_535;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--target",
            defaultValue = "127.0.0.1:7400",
            paramLabel = "HOST:PORT",
            scope = CommandLine.ScopeType.INHERIT,
            description = "The node itself, not a load balancer before it (default: ${DEFAULT-VALUE}).")
    private String target = "";

    /** Says who the node is and how it is. */
    @Command(name = "node", description = "Who the node is and how it is.")
    int node() {
        return with(control -> {
            show(control.status());
            return 0;
        });
    }

    /** Has the node let its rooms go. */
    @Command(
            name = "drain",
            description = "Has the node let all its rooms go to other nodes and take none; it goes on taking calls and"
                    + " sends them on. With --wait it ends when the last room is gone.")
    int drain(
            @Option(
                            names = "--wait",
                            paramLabel = "SECONDS",
                            defaultValue = "0",
                            description = "Waits so long until no room is left, 0..3600 (default: ${DEFAULT-VALUE}).")
                    int waitS) {
        if (waitS < 0 || waitS > TimeUnit.HOURS.toSeconds(1)) {
            throw new ParameterException(commandLine(), "--wait: from 0 to 3600 seconds, not " + waitS);
        }
        return with(control -> {
            NodeStatus now = control.drain();
            long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(waitS);
            int shownRooms = now.getLoadedRooms();
            show(now);
            while (now.getState() == NodeState.NODE_STATE_DRAINING && System.nanoTime() < endNs) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MS));
                now = control.status();
                if (now.getLoadedRooms() != shownRooms || now.getState() == NodeState.NODE_STATE_DRAINED) {
                    shownRooms = now.getLoadedRooms();
                    show(now);
                }
            }
            boolean asAsked = now.getState() == NodeState.NODE_STATE_DRAINED || waitS == 0;
            return asAsked ? 0 : NOT_YET;
        });
    }

    /** Has the node take rooms again. */
    @Command(name = "undrain", description = "Has the node take rooms again.")
    int undrain() {
        return with(control -> {
            NodeStatus now = control.undrain();
            show(now);
            return now.getState() == NodeState.NODE_STATE_SERVING ? 0 : NOT_YET;
        });
    }

    private interface Deed {
        int on(NodeControl control) throws UnreachableException;
    }

    private int with(Deed deed) {
        int colon = target.lastIndexOf(':');
        try (NodeControl control = new NodeControl(host(colon), port(colon))) {
            return deed.on(control);
        } catch (UnreachableException failure) {
            commandLine().getErr().println("node " + target + " can't be reached: " + failure.getMessage());
            return UNREACHABLE;
        }
    }

    private String host(int colon) {
        if (colon <= 0) {
            throw badTarget();
        }
        return target.substring(0, colon);
    }

    private int port(int colon) {
        try {
            int port = Integer.parseInt(target.substring(colon + 1));
            if (port < 1 || port > LARGEST_PORT) {
                throw badTarget();
            }
            return port;
        } catch (NumberFormatException notANumber) {
            throw badTarget();
        }
    }

    private ParameterException badTarget() {
        return new ParameterException(commandLine(), "--target: HOST:PORT is wanted, not '" + target + "'");
    }

    private void show(NodeStatus node) {
        PrintWriter out = commandLine().getOut();
        String state = node.getState().name().substring("NODE_STATE_".length());
        String since =
                node.getDrainingSinceMs() == 0 ? "" : " since=" + Instant.ofEpochMilli(node.getDrainingSinceMs());
        out.println(node.getNodeId() + " at " + node.getAdvertiseAddr() + " " + state + " rooms="
                + node.getLoadedRooms() + since + " members=" + node.getMembersList());
        out.flush();
    }

    private CommandLine commandLine() {
        if (spec == null) {
            throw new IllegalStateException("a command is run by picocli");
        }
        return spec.commandLine();
    }
}
