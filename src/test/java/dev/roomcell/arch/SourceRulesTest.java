package dev.roomcell.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SourceRulesTest {
    /** Fencing and transactions are right in one place or nowhere (LEASE-15); the checker only reads, and the wallet has tables of its own. */
    @Test
    void sqlStandsInTheMysqlAdapterInTheCheckerAndInTheEmbeddedWallet() throws IOException {
        assertThat(SourceFile.below("src/main/java", "src/dev/java"))
                .filteredOn(file -> !file.path().matches(".*/roomcell/(adapter/mysql|check|dev/wallet)/.*"))
                .allSatisfy(file -> assertThat(file.sql()).as(file.path()).isEmpty());
        assertThat(SourceFile.below("src/main/java/dev/roomcell/adapter/mysql"))
                .anySatisfy(file -> assertThat(file.sql()).isNotEmpty());
    }

    @Test
    void sqlIsKnownInStringsAndNowhereElse() {
        assertThat(file("String it = \"SELECT 1\";").sql()).containsExactly("SELECT 1");
        assertThat(file("String it = \"\"\"\n  UPDATE rooms\n  SET a = \\\"b\\\"\n  \"\"\";")
                        .sql())
                .hasSize(1);
        assertThat(file("char it = '\"'; String that = \"DELETE FROM rooms\"; // \"")
                        .sql())
                .containsExactly("DELETE FROM rooms");
        assertThat(file("/* \"SELECT 1\" */ // \"SELECT 1\"\nint SELECT = 1;").sql())
                .isEmpty();
        assertThat(file("String it = \"select a seat, UPDATE it and INSERT a coin\";")
                        .sql())
                .isEmpty();
    }

    /** Null checks are on for marked packages only, and a package without a sentence is one that nobody understood. */
    @Test
    void everyPackageIsIntroducedAndKnowsNoNull() throws IOException {
        Set<String> packages = new TreeSet<>();
        Set<String> introduced = new TreeSet<>();
        for (SourceFile file : SourceFile.below("src/main/java", "src/dev/java", "src/test/java")) {
            packages.add(file.folder());
            if (file.introducesItsPackage()) {
                introduced.add(file.folder());
            }
        }

        assertThat(packages).contains("dev/roomcell/domain", "dev/roomcell/dev", "dev/roomcell/arch");
        assertThat(introduced).containsExactlyElementsOf(packages);
    }

    @Test
    void anIntroductionHasASentence() {
        String path = "src/main/java/dev/roomcell/x/package-info.java";
        String marked = "\n@NullMarked\npackage dev.roomcell.x;";

        assertThat(new SourceFile(path, "/** What is to be found here. */" + marked).introducesItsPackage())
                .isTrue();
        assertThat(new SourceFile(path, "/** What is to be found here. */\npackage x;").introducesItsPackage())
                .isFalse();
        assertThat(new SourceFile(path, "/** Things. */" + marked).introducesItsPackage())
                .isFalse();
        assertThat(new SourceFile(path, marked).introducesItsPackage()).isFalse();
        assertThat(file("/** What is to be found here. */" + marked).introducesItsPackage())
                .isFalse();
    }

    private static SourceFile file(String text) {
        return new SourceFile("src/main/java/dev/roomcell/x/Some.java", text);
    }
}
