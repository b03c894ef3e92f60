package dev.roomcell.arch;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.GeneralCodingRules;
import io.vertx.core.AsyncResult;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import java.time.Clock;
import java.util.Calendar;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Disabled;

/** What is not to be used where. The layers are in {@link Layer}. */
final class Rules {
    private static final String DOMAIN = Layer.BASE + ".domain..";
    private static final String PORT = Layer.BASE + ".port..";
    private static final String CELL = Layer.BASE + ".cell..";
    private static final String MYSQL = Layer.BASE + ".adapter.mysql..";
    private static final String REDIS = Layer.BASE + ".adapter.redis..";

    private Rules() {}

    static final ArchRule DOMAIN_KNOWS_THE_LANGUAGE_ONLY = classes()
            .that()
            .resideInAPackage(DOMAIN)
            .should()
            .onlyDependOnClassesThat(primitive()
                    .or(resideInAnyPackage(
                            "java.lang",
                            "java.lang.annotation",
                            "java.math",
                            // Dates, for days that end at a time of their own.
                            "java.time",
                            "java.time.chrono",
                            "java.util",
                            "java.util.function",
                            "java.util.stream",
                            "io.vavr..",
                            "org.jspecify..",
                            DOMAIN)))
            .as("domain uses the language, persistent collections and nothing else")
            .because("decide and evolve are pure: the same command in the same state is decided the same way on every"
                    + " node and in every replay; time and ids come in with the Stamp")
            .allowEmptyShould(true);

    static final ArchRule DOMAIN_READS_NO_CLOCK_AND_DRAWS_NO_LOTS = noClasses()
            .that()
            .resideInAPackage(DOMAIN)
            .should()
            .dependOnClassesThat(belongToAnyOf(
                    System.class,
                    Thread.class,
                    ThreadLocal.class,
                    Runtime.class,
                    Process.class,
                    Random.class,
                    SplittableRandom.class,
                    UUID.class,
                    Timer.class,
                    Date.class,
                    Calendar.class,
                    Clock.class))
            .orShould()
            .accessTargetWhere(target(nameMatching("now|systemDefault")))
            .orShould()
            .accessTargetWhere(calls("random", Math.class))
            .as("domain knows no clock, no randomness, no thread, no environment")
            .because("a replay must not depend on when or where it runs (TIME-1): take time and ids from the Stamp")
            .allowEmptyShould(true);

    static final ArchRule DOMAIN_HAS_ONE_ORDER = noClasses()
            .that()
            .resideInAPackage(DOMAIN)
            .should()
            .accessTargetWhere(calls("of|ofEntries|copyOf", Set.class, Map.class))
            .orShould()
            .accessTargetWhere(target(nameMatching("parallelStream|parallel")))
            .as("domain has no collection whose order differs from run to run")
            .because("java.util's Set.of and Map.of iterate in another order in every JVM, so events would too: use"
                    + " vavr's collections, or a List")
            .allowEmptyShould(true);

    static final ArchRule CORE_KNOWS_FUTURES_ONLY = classes()
            .that()
            .resideInAnyPackage(PORT, CELL)
            .should()
            .onlyDependOnClassesThat(primitive()
                    .or(resideInAnyPackage(
                            "java.lang",
                            "java.lang.annotation",
                            "java.nio.charset",
                            "java.util",
                            "java.util.function",
                            "java.util.stream",
                            "java.util.zip",
                            "io.vavr..",
                            "org.slf4j",
                            "org.jspecify..",
                            "com.google.errorprone.annotations..",
                            DOMAIN,
                            PORT,
                            CELL))
                    .or(belongToAnyOf(
                            Callable.class,
                            Future.class,
                            CompositeFuture.class,
                            Promise.class,
                            AsyncResult.class,
                            Handler.class)))
            .as("port and cell use the language, Vert.x futures and nothing else")
            .because("the simulator runs them on a scripted loop in virtual time: whatever waits, locks, times or talks"
                    + " goes through a port; one loop needs no lock")
            .allowEmptyShould(true);

    static final ArchRule CORE_READS_NO_CLOCK_AND_DRAWS_NO_LOTS = noClasses()
            .that()
            .resideInAnyPackage(PORT, CELL)
            .should()
            .dependOnClassesThat(belongToAnyOf(
                    System.class,
                    ThreadLocal.class,
                    Runtime.class,
                    Process.class,
                    Random.class,
                    SplittableRandom.class,
                    UUID.class,
                    Timer.class,
                    Date.class,
                    Calendar.class))
            .orShould()
            .accessTargetWhere(calls("random", Math.class))
            .as("port and cell know no clock and no randomness")
            .because("a test scripts them: ask RoomClock for the time and TokenSource for what must be random")
            .allowEmptyShould(true);

    static final ArchRule CORE_NEVER_BLOCKS = noClasses()
            .that()
            .resideInAnyPackage(PORT, CELL)
            .should()
            .accessTargetWhere(calls("(?!(currentThread|getName)$).*", Thread.class))
            .orShould()
            .accessTargetWhere(calls("await", Future.class))
            .orShould()
            .accessTargetWhere(calls("wait|notify|notifyAll", Object.class))
            .as("port and cell make no thread and wait for none")
            .because("a cell lives on one event loop, with thousands of others: compose futures, and use"
                    + " CellLoop.offload for what takes its time")
            .allowEmptyShould(true);

    static final ArchRule PROTO_STAYS_OUTSIDE = noClasses()
            .that()
            .resideOutsideOfPackages(
                    Layer.BASE + ".adapter..",
                    Layer.BASE + ".client..",
                    Layer.BASE + ".bench..",
                    Layer.BASE + ".demo..",
                    Layer.BASE + ".ctl..",
                    Layer.BASE + ".check..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(Layer.BASE + ".proto..")
            .as("generated messages stay in adapter, client, bench, demo, ctl and check")
            .because("the wire changes by other rules than the core: adapter.codec translates")
            .allowEmptyShould(true);

    static final ArchRule ADAPTERS_DO_NOT_KNOW_EACH_OTHER = classes()
            .that()
            .resideInAPackage(Layer.BASE + ".adapter..")
            .should(new KeepToOwnAdapter())
            .as("adapters do not use each other, but codec")
            .because("one outside system is changed or replaced without a look at the others: meet in a port")
            .allowEmptyShould(true);

    static final ArchRule SQL_HAS_ONE_PLACE = noClasses()
            .that()
            .resideOutsideOfPackages(MYSQL, Layer.BASE + ".check..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "java.sql..",
                    "javax.sql..",
                    "com.mysql..",
                    "io.vertx.sqlclient..",
                    "io.vertx.mysqlclient..",
                    "org.flywaydb..")
            .as("only adapter.mysql and the checker talk to the database")
            .because("fencing and transactions are right in one place or nowhere (LEASE-15): use the stores' ports; the"
                    + " checker only reads, and must not trust the stores")
            .allowEmptyShould(true);

    static final ArchRule REDIS_HAS_ONE_PLACE = noClasses()
            .that()
            .resideOutsideOfPackage(REDIS)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.vertx.redis..")
            .as("only adapter.redis talks to Redis")
            .because("keys and scripts must agree with each other (LEASE-2): use LeaseDirectory and NodeDirectory")
            .allowEmptyShould(true);

    static final ArchRule FACTS_ARE_NO_MESSAGES = noClasses()
            .that()
            .haveSimpleNameStartingWith("Outbox")
            .and()
            .resideInAnyPackage(CELL, Layer.BASE + ".verticle..")
            .should()
            .dependOnClassesThat()
            .haveNameMatching(".*\\.port\\.(RoomMessenger|RoomExternals).*")
            .as("the outbox worker hands out facts and does nothing else")
            .because(
                    "a message to a room's clients is the direct lane's, and a side task the owner's (LANE-3): an event"
                            + " that is delivered again must not be done again")
            .allowEmptyShould(true);

    static final ArchRule ONLY_COMMANDS_PRINT = noClasses()
            .that(not(resideInAnyPackage(
                    Layer.BASE,
                    Layer.BASE + ".bench..",
                    Layer.BASE + ".demo..",
                    Layer.BASE + ".check..",
                    Layer.BASE + ".dev..")))
            .should(GeneralCodingRules.ACCESS_STANDARD_STREAMS)
            .as("only the command line prints")
            .because("a node's words must reach the operator with level, time and room: use an SLF4J logger")
            .allowEmptyShould(true);

    static final ArchRule ONE_LOGGING_API = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.util.logging..")
            .as("nobody uses java.util.logging")
            .because("two logging systems have two formats and two sets of levels: use an SLF4J logger")
            .allowEmptyShould(true);

    static final ArchRule NOBODY_SLEEPS = noClasses()
            .should()
            .accessTargetWhere(calls("sleep", Thread.class, TimeUnit.class))
            .as("nobody sleeps")
            .because(
                    "a sleep is too short on a busy machine and too long on an idle one, and blocks an event loop: await"
                            + " the condition itself, with a deadline, or schedule a task")
            .allowEmptyShould(true);

    static final ArchRule NO_TEST_IS_DISABLED = noClasses()
            .should()
            .beAnnotatedWith(Disabled.class)
            .orShould()
            .beAnnotatedWith(net.jqwik.api.Disabled.class)
            .orShould(new HaveMethodsAnnotatedWith(List.of(Disabled.class, net.jqwik.api.Disabled.class)))
            .as("no test is disabled")
            .because("a test that does not run proves nothing and rots: mend it or remove it")
            .allowEmptyShould(true);

    static final ArchRule NAMES_SAY_WHAT_A_THING_IS = noClasses()
            .should()
            .haveNameMatching(".*[.$][A-Za-z0-9]*(Manager|Helper|Utils?|Impl)")
            .as("no class is a manager, helper, util or impl")
            .because("such a name says nothing and attracts everything: name what it is, in the words of the glossary")
            .allowEmptyShould(true);

    /** For what is shipped. */
    static final List<ArchRule> OF_PRODUCTION = List.of(
            DOMAIN_KNOWS_THE_LANGUAGE_ONLY,
            DOMAIN_READS_NO_CLOCK_AND_DRAWS_NO_LOTS,
            DOMAIN_HAS_ONE_ORDER,
            CORE_KNOWS_FUTURES_ONLY,
            CORE_READS_NO_CLOCK_AND_DRAWS_NO_LOTS,
            CORE_NEVER_BLOCKS,
            PROTO_STAYS_OUTSIDE,
            ADAPTERS_DO_NOT_KNOW_EACH_OTHER,
            SQL_HAS_ONE_PLACE,
            REDIS_HAS_ONE_PLACE,
            FACTS_ARE_NO_MESSAGES,
            ONLY_COMMANDS_PRINT);

    /** For all that we write, tests and development tools too. */
    static final List<ArchRule> OF_EVERYTHING =
            List.of(ONE_LOGGING_API, NOBODY_SLEEPS, NO_TEST_IS_DISABLED, NAMES_SAY_WHAT_A_THING_IS);

    private static DescribedPredicate<JavaClass> primitive() {
        return describe("primitives", type -> type.getBaseComponentType().isPrimitive());
    }

    private static DescribedPredicate<JavaAccess<?>> calls(String names, Class<?>... owners) {
        return target(nameMatching(names)).and(target(owner(belongToAnyOf(owners))));
    }
}
