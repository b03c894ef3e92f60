package dev.roomcell.arch;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;

/**
 * A part of the house, and the other parts that it may use.
 *
 * @param name its package below the base package, with all packages below it
 * @param uses the packages of ours that it may use, besides itself
 * @param because why no others
 */
record Layer(String name, List<String> uses, String because) {
    static final String BASE = "dev.roomcell";

    /** {@code Main → verticle → adapter → cell → port → domain}, and what stands beside. */
    static final List<Layer> ALL = List.of(
            new Layer(
                    "domain",
                    List.of(),
                    "what may happen in a room is true whatever stores, carries or asks it; bring it in as data"),
            new Layer(
                    "port",
                    List.of("domain"),
                    "a port says what the core needs in the core's own words; the adapter translates"),
            new Layer(
                    "cell",
                    List.of("port", "domain"),
                    "the core must run on a scripted loop with ports in memory; reach outside through a port"),
            new Layer(
                    "adapter",
                    List.of("cell", "port", "domain", "wire"),
                    "an adapter serves the core and is put together with others by the verticles; it takes its own"
                            + " settings, not the node's configuration"),
            new Layer(
                    "verticle",
                    List.of("adapter", "cell", "port", "domain", "wire"),
                    "a verticle is a thin shell around the core and its adapters; the configuration is the start's"),
            new Layer("config", List.of(), "the configuration is plain values; whoever starts a part hands them to it"),
            new Layer(
                    "sim",
                    List.of("adapter.codec", "cell", "port", "domain", "client", "check"),
                    "the simulator runs the real core on ports in memory: no network, no verticle, only the real codec"),
            new Layer(
                    "client", List.of("wire"), "a caller needs the API and nothing of the service; so does the client"),
            new Layer(
                    "check",
                    List.of("adapter.codec", "port", "domain"),
                    "a checker that read through the stores would share their mistakes: it reads the tables itself"),
            new Layer("wire", List.of(), "both sides of a connection use it, and neither knows the other"),
            new Layer("bench", List.of("client"), "load is measured from outside, as callers make it: use the client"),
            new Layer("demo", List.of("client"), "the demo shows what any caller can see: use the client"),
            new Layer("ctl", List.of(), "an operator asks a node what any operator may, over its API"));

    private static final String PROTO = BASE + ".proto..";

    /** The rule that this part uses no others of ours; who may use the generated messages is a rule of its own. */
    ArchRule rule() {
        List<String> allowed = new ArrayList<>(List.of(PROTO, BASE + "." + name + ".."));
        uses.forEach(used -> allowed.add(BASE + "." + used + ".."));
        return classes()
                .that()
                .resideInAPackage(BASE + "." + name + "..")
                .should()
                .onlyDependOnClassesThat(
                        resideOutsideOfPackage(BASE + "..").or(resideInAnyPackage(allowed.toArray(String[]::new))))
                .as(name + " uses " + (uses.isEmpty() ? "no other part of ours" : "only " + String.join(", ", uses)))
                .because(because)
                .allowEmptyShould(true);
    }
}
