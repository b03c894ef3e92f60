package dev.roomcell.bench;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a run came to, for people and for scripts. */
final class BenchReport {
    private static final double P50 = 50;
    private static final double P90 = 90;
    private static final double P99 = 99;
    private static final double TENTH = 10;

    private final BenchSettings settings;
    private final Measurement measured;

    BenchReport(BenchSettings settings, Measurement measured) {
        this.settings = settings;
        this.measured = measured;
    }

    /** The machine and what will be run on it; before the run. */
    static List<String> opening(BenchSettings settings) {
        Runtime runtime = Runtime.getRuntime();
        String loop = settings.openLoop() ? "open loop at " + settings.ratePerSecond() + "/s" : "closed loop";
        return List.of(
                "machine: " + runtime.availableProcessors() + " cores, " + System.getProperty("os.name") + " "
                        + System.getProperty("os.arch") + ", JDK " + System.getProperty("java.version"),
                "bench: " + settings.command() + ", " + settings.rooms() + " rooms x " + settings.clients()
                        + " clients, " + loop + ", " + settings.connections() + " connections, "
                        + settings.eventLoops() + " event loops, app " + settings.app() + " at " + settings.target());
    }

    List<String> table() {
        List<String> lines = new ArrayList<>();
        lines.add(row("throughput/s", "p50 ms", "p90 ms", "p99 ms", "max ms", "succeeded", "errors", "retries"));
        lines.add(row(
                number(throughput(), 1),
                number(measured.percentileMs(P50), 3),
                number(measured.percentileMs(P90), 3),
                number(measured.percentileMs(P99), 3),
                number(measured.maxMs(), 3),
                String.valueOf(measured.succeeded()),
                String.valueOf(errors()),
                String.valueOf(Measurement.total(measured.retries()))));
        reasons(lines, "errors", measured.errors());
        reasons(lines, "errors in the warm-up", measured.warmupErrors());
        reasons(lines, "retries", measured.retries());
        return lines;
    }

    private static String row(String... cells) {
        StringBuilder line = new StringBuilder();
        for (String cell : cells) {
            line.append(String.format(Locale.ROOT, "%14s", cell));
        }
        return line.toString();
    }

    private static String number(double value, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }

    private static void reasons(List<String> lines, String what, Map<String, Long> counts) {
        counts.forEach((reason, count) -> lines.add(what + ": " + reason + " " + count));
    }

    /** One line; the settings stand behind the figures. */
    String json() {
        return new JsonObject()
                .put("throughput_per_s", throughput())
                .put("p50_ms", measured.percentileMs(P50))
                .put("p90_ms", measured.percentileMs(P90))
                .put("p99_ms", measured.percentileMs(P99))
                .put("max_ms", measured.maxMs())
                .put("succeeded", measured.succeeded())
                .put("errors", errors())
                .put("errors_by_reason", object(measured.errors()))
                .put("warmup_errors", Measurement.total(measured.warmupErrors()))
                .put("retries", Measurement.total(measured.retries()))
                .put("retries_by_reason", object(measured.retries()))
                .put("command", settings.command().toString())
                .put("target", settings.target())
                .put("app", settings.app())
                .put("rooms", settings.rooms())
                .put("clients", settings.clients())
                .put("rate_per_s", settings.ratePerSecond())
                .put("warmup_s", settings.warmupSeconds())
                .put("seconds", settings.seconds())
                .put("connections", settings.connections())
                .put("event_loops", settings.eventLoops())
                .put("room_prefix", settings.roomPrefix())
                .put("cores", Runtime.getRuntime().availableProcessors())
                .put("jdk", System.getProperty("java.version"))
                .encode();
    }

    private static JsonObject object(Map<String, Long> counts) {
        JsonObject object = new JsonObject();
        counts.forEach(object::put);
        return object;
    }

    private double throughput() {
        return Math.round(TENTH * measured.succeeded() / settings.seconds()) / TENTH;
    }

    private long errors() {
        return Measurement.total(measured.errors());
    }

    /** 0 if commands succeeded, and none failed or failures are tolerated; else 1. */
    int exitCode(boolean tolerateErrors) {
        boolean clean = errors() == 0 && measured.warmupErrors().isEmpty();
        return measured.succeeded() > 0 && (clean || tolerateErrors) ? 0 : 1;
    }
}
