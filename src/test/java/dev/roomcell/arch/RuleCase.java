package dev.roomcell.arch;

import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;

/**
 * A class that breaks a rule, or that keeps all rules.
 *
 * @param rules the rules in question
 * @param part the package of the class, below the base package
 * @param code the class
 * @param breaks whether it breaks the rules
 */
record RuleCase(List<ArchRule> rules, String part, String code, boolean breaks) {
    /** Packages that have a class {@code stub.Stub} for the cases to use. */
    static final List<String> STUBS = List.of(
            "domain",
            "port",
            "cell",
            "adapter.codec",
            "adapter.mysql",
            "adapter.redis",
            "verticle",
            "config",
            "sim",
            "client",
            "bench",
            "demo",
            "ctl",
            "check",
            "wire");

    static final List<RuleCase> FORBIDDEN = List.of(
            breaks(
                    Rules.DOMAIN_KNOWS_THE_LANGUAGE_ONLY,
                    "domain",
                    "class A { java.time.format.DateTimeFormatter it; }"),
            breaks(
                    Rules.DOMAIN_READS_NO_CLOCK_AND_DRAWS_NO_LOTS,
                    "domain",
                    "class A { Object it = java.time.Instant.now(); }"),
            breaks(
                    Rules.DOMAIN_READS_NO_CLOCK_AND_DRAWS_NO_LOTS,
                    "domain",
                    "class A { Object it = java.time.ZoneId.systemDefault(); }"),
            breaks(Rules.DOMAIN_READS_NO_CLOCK_AND_DRAWS_NO_LOTS, "domain", "class A { java.time.Clock it; }"),
            breaks(Rules.DOMAIN_KNOWS_THE_LANGUAGE_ONLY, "domain", "class A { java.util.concurrent.Future<?> it; }"),
            breaks(Rules.DOMAIN_KNOWS_THE_LANGUAGE_ONLY, "domain", "class A { java.nio.file.Path[] it; }"),
            breaks(Rules.DOMAIN_KNOWS_THE_LANGUAGE_ONLY, "domain", "class A { io.vertx.core.Future<?> it; }"),
            breaks(Rules.DOMAIN_KNOWS_THE_LANGUAGE_ONLY, "domain", "class A { org.slf4j.Logger it; }"),
            breaks(
                    Rules.DOMAIN_READS_NO_CLOCK_AND_DRAWS_NO_LOTS,
                    "domain",
                    "class A { long it = System.currentTimeMillis(); }"),
            breaks(Rules.DOMAIN_READS_NO_CLOCK_AND_DRAWS_NO_LOTS, "domain", "class A { long it = System.nanoTime(); }"),
            breaks(Rules.DOMAIN_READS_NO_CLOCK_AND_DRAWS_NO_LOTS, "domain", "class A { double it = Math.random(); }"),
            breaks(
                    Rules.DOMAIN_READS_NO_CLOCK_AND_DRAWS_NO_LOTS,
                    "domain",
                    "class A { Object it = java.util.UUID.randomUUID(); }"),
            breaks(
                    Rules.DOMAIN_READS_NO_CLOCK_AND_DRAWS_NO_LOTS,
                    "domain",
                    "class A { Object it = new java.util.Random(); }"),
            breaks(
                    Rules.DOMAIN_READS_NO_CLOCK_AND_DRAWS_NO_LOTS,
                    "domain",
                    "class A { Object it = new java.util.Date(); }"),
            breaks(
                    Rules.DOMAIN_READS_NO_CLOCK_AND_DRAWS_NO_LOTS,
                    "domain",
                    "class A { Object it = Thread.currentThread(); }"),
            breaks(Rules.DOMAIN_HAS_ONE_ORDER, "domain", "class A { Object it = java.util.Set.of(1, 2); }"),
            breaks(Rules.DOMAIN_HAS_ONE_ORDER, "domain", "class A { Object it = java.util.Map.of(1, 2, 3, 4); }"),
            breaks(
                    Rules.DOMAIN_HAS_ONE_ORDER,
                    "domain",
                    "class A { Object it(java.util.List<?> of) { return of.parallelStream(); } }"),
            breaks(
                    Rules.DOMAIN_HAS_ONE_ORDER,
                    "domain",
                    "class A { Object it(java.util.List<?> of) { return of.stream().parallel(); } }"),
            breaks(Rules.CORE_KNOWS_FUTURES_ONLY, "cell", "class A { io.vertx.core.Vertx it; }"),
            breaks(Rules.CORE_KNOWS_FUTURES_ONLY, "cell", "class A { io.vertx.core.json.JsonObject it; }"),
            breaks(Rules.CORE_KNOWS_FUTURES_ONLY, "port", "class A { io.vertx.core.buffer.Buffer it; }"),
            breaks(Rules.CORE_KNOWS_FUTURES_ONLY, "cell", "class A { java.util.concurrent.locks.Lock it; }"),
            breaks(Rules.CORE_KNOWS_FUTURES_ONLY, "cell", "class A { java.util.concurrent.Executor it; }"),
            breaks(
                    Rules.CORE_KNOWS_FUTURES_ONLY,
                    "cell",
                    "class A { Object it(io.vertx.core.Future<?> of) { return of.toCompletionStage().toCompletableFuture(); } }"),
            breaks(Rules.CORE_KNOWS_FUTURES_ONLY, "port", "class A { java.time.Instant it; }"),
            breaks(Rules.CORE_KNOWS_FUTURES_ONLY, "cell", "class A { java.security.SecureRandom it; }"),
            breaks(Rules.CORE_READS_NO_CLOCK_AND_DRAWS_NO_LOTS, "cell", "class A { long it = System.nanoTime(); }"),
            breaks(
                    Rules.CORE_READS_NO_CLOCK_AND_DRAWS_NO_LOTS,
                    "port",
                    "class A { long it = System.currentTimeMillis(); }"),
            breaks(
                    Rules.CORE_READS_NO_CLOCK_AND_DRAWS_NO_LOTS,
                    "cell",
                    "class A { Object it = java.util.UUID.randomUUID(); }"),
            breaks(Rules.CORE_READS_NO_CLOCK_AND_DRAWS_NO_LOTS, "cell", "class A { double it = Math.random(); }"),
            breaks(Rules.CORE_NEVER_BLOCKS, "cell", "class A { Thread it = new Thread(); }"),
            breaks(Rules.CORE_NEVER_BLOCKS, "cell", "class A { void it(Thread of) throws Exception { of.join(); } }"),
            breaks(
                    Rules.CORE_NEVER_BLOCKS,
                    "cell",
                    "class A { Object it(io.vertx.core.Future<?> of) { return of.await(); } }"),
            breaks(Rules.CORE_NEVER_BLOCKS, "port", "class A { void it(Object of) throws Exception { of.wait(); } }"),
            breaks(Rules.PROTO_STAYS_OUTSIDE, "cell", "class A { dev.roomcell.proto.room.v1.RoomStatus it; }"),
            breaks(Rules.PROTO_STAYS_OUTSIDE, "verticle", "class A { dev.roomcell.proto.internal.v1.StoredEvent it; }"),
            breaks(
                    Rules.ADAPTERS_DO_NOT_KNOW_EACH_OTHER,
                    "adapter.redis",
                    "class A { dev.roomcell.adapter.mysql.stub.Stub it; }"),
            breaks(
                    Rules.ADAPTERS_DO_NOT_KNOW_EACH_OTHER,
                    "adapter.codec",
                    "class A { dev.roomcell.adapter.redis.stub.Stub[] it; }"),
            breaks(Rules.SQL_HAS_ONE_PLACE, "verticle", "class A { io.vertx.sqlclient.Pool it; }"),
            breaks(Rules.SQL_HAS_ONE_PLACE, "adapter.redis", "class A { java.sql.Connection it; }"),
            breaks(Rules.SQL_HAS_ONE_PLACE, "bench", "class A { org.flywaydb.core.Flyway it; }"),
            breaks(Rules.REDIS_HAS_ONE_PLACE, "verticle", "class A { io.vertx.redis.client.Redis it; }"),
            breaks(Rules.FACTS_ARE_NO_MESSAGES, "cell", "class OutboxA { dev.roomcell.port.RoomMessenger it; }"),
            breaks(Rules.ONLY_COMMANDS_PRINT, "adapter.ops", "class A { void it() { System.out.println(); } }"),
            breaks(Rules.ONLY_COMMANDS_PRINT, "client", "class A { void it() { System.err.println(); } }"),
            breaks(Rules.ONLY_COMMANDS_PRINT, "cell", "class A { void it(Exception of) { of.printStackTrace(); } }"),
            breaks(
                    Rules.ONE_LOGGING_API,
                    "adapter.ops",
                    "class A { Object it = java.util.logging.Logger.getGlobal(); }"),
            breaks(Rules.NOBODY_SLEEPS, "fault", "class A { void it() throws Exception { Thread.sleep(1); } }"),
            breaks(
                    Rules.NOBODY_SLEEPS,
                    "dev",
                    "class A { void it() throws Exception { java.util.concurrent.TimeUnit.DAYS.sleep(1); } }"),
            breaks(Rules.NO_TEST_IS_DISABLED, "fault", "@org.junit.jupiter.api.Disabled class A {}"),
            breaks(Rules.NO_TEST_IS_DISABLED, "fault", "class A { @org.junit.jupiter.api.Disabled void it() {} }"),
            breaks(Rules.NO_TEST_IS_DISABLED, "fault", "class A { @net.jqwik.api.Disabled(\"later\") void it() {} }"),
            breaks(Rules.NAMES_SAY_WHAT_A_THING_IS, "cell", "class A { static class LeaseManager {} }"),
            breaks(Rules.NAMES_SAY_WHAT_A_THING_IS, "port", "class A {} class RoomUtils {}"),
            breaks(Rules.NAMES_SAY_WHAT_A_THING_IS, "port", "class A {} class StoreImpl {}"));

    static final List<RuleCase> ALLOWED = List.of(
            keepsAll("domain", "class A { java.util.List<byte[]> it = java.util.List.of(new byte[1]); }"),
            keepsAll("domain", "class A { io.vavr.collection.Map<String, long[][]> it; java.util.Optional<A> me; }"),
            keepsAll("domain", "class A { Object it(java.util.List<?> of) { return of.stream().map(each -> 1); } }"),
            keepsAll("port", "interface A { java.util.concurrent.Callable<io.vertx.core.Future<int[]>> it(); }"),
            keepsAll("cell", "class A { String it = Thread.currentThread().getName(); org.slf4j.Logger log; }"),
            keepsAll(
                    "adapter.mysql", "class A { java.sql.Connection it; dev.roomcell.adapter.codec.stub.Stub codec; }"),
            keepsAll("check", "class A { java.sql.Connection it; dev.roomcell.adapter.codec.stub.Stub codec; }"),
            keepsAll("adapter.mysql", "class A { dev.roomcell.adapter.mysql.stub.Stub it; }"),
            keepsAll("adapter.redis", "class A { io.vertx.redis.client.Redis it; long now = System.nanoTime(); }"),
            keepsAll("adapter.grpc", "class A { dev.roomcell.proto.room.v1.RoomStatus it; Thread thread; }"),
            keepsAll(
                    "bench",
                    "class A { dev.roomcell.proto.room.v1.RoomStatus it; java.io.PrintStream o = System.out; }"),
            keepsAll("client", "class A { dev.roomcell.proto.room.v1.RoomStatus it; }"),
            keepsAll("cell", "class A { class Implement {} class Utility {} class Managers {} }"));

    static List<RuleCase> all() {
        List<RuleCase> cases = new ArrayList<>(FORBIDDEN);
        cases.addAll(ALLOWED);
        Layer.ALL.forEach(layer -> STUBS.forEach(stub -> cases.add(uses(layer, stub))));
        return cases;
    }

    private static RuleCase uses(Layer layer, String stub) {
        boolean allowed = (stub + ".").startsWith(layer.name() + ".")
                || layer.uses().stream().anyMatch(used -> (stub + ".").startsWith(used + "."));
        String code = "class A { " + Layer.BASE + "." + stub + ".stub.Stub it; }";
        return new RuleCase(List.of(layer.rule()), layer.name(), code, !allowed);
    }

    private static RuleCase breaks(ArchRule rule, String part, String code) {
        return new RuleCase(List.of(rule), part, code, true);
    }

    private static RuleCase keepsAll(String part, String code) {
        List<ArchRule> rules = new ArrayList<>(Rules.OF_PRODUCTION);
        rules.addAll(Rules.OF_EVERYTHING);
        Layer.ALL.forEach(layer -> rules.add(layer.rule()));
        return new RuleCase(rules, part, code, false);
    }

    @Override
    public String toString() {
        return part + ": " + code;
    }
}
