package dev.roomcell.arch;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.lang.ArchRule;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ArchitectureTest {
    /** All that was written by us. */
    private static final JavaClasses EVERYTHING = new ClassFileImporter()
            .withImportOption(location -> !location.contains("/dev/roomcell/proto/"))
            .importPackages(Layer.BASE);

    /** What of it is shipped. */
    private static final JavaClasses PRODUCTION = EVERYTHING.that(describe(
            "are shipped",
            type -> type.getSource()
                    .filter(source -> Location.of(source.getUri()).contains("/target/classes/"))
                    .isPresent()));

    static Stream<ArchRule> rulesOfProduction() {
        return Stream.concat(Layer.ALL.stream().map(Layer::rule), Rules.OF_PRODUCTION.stream());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rulesOfProduction")
    void inProduction(ArchRule rule) {
        rule.check(PRODUCTION);
    }

    static Stream<ArchRule> rulesOfEverything() {
        return Rules.OF_EVERYTHING.stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rulesOfEverything")
    void everywhere(ArchRule rule) {
        rule.check(EVERYTHING);
    }

    @Test
    void allOfItWasLookedAt() {
        assertThat(PRODUCTION.contain("dev.roomcell.domain.RoomDecider")).isTrue();
        assertThat(PRODUCTION.contain("dev.roomcell.dev.EmbeddedServers")).isFalse();
        assertThat(PRODUCTION.contain(ArchitectureTest.class)).isFalse();
        assertThat(EVERYTHING.contain("dev.roomcell.domain.RoomDecider")).isTrue();
        assertThat(EVERYTHING.contain("dev.roomcell.dev.EmbeddedServers")).isTrue();
        assertThat(EVERYTHING.contain(ArchitectureTest.class)).isTrue();
    }
}
