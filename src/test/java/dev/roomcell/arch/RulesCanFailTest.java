package dev.roomcell.arch;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every rule is broken here, so that one that looks the wrong way is noticed. */
class RulesCanFailTest {
    private static final List<RuleCase> CASES = RuleCase.all();

    @Test
    void everyRuleFindsWhatItForbidsAndNothingElse(@TempDir Path folder) {
        JavaClasses snippets = compile(folder);
        for (int i = 0; i < CASES.size(); i++) {
            RuleCase each = CASES.get(i);
            JavaClasses snippet = snippets.that(resideInAPackage(packageOf(i)));
            assertThat(snippet).as("%s", each).isNotEmpty();
            for (ArchRule rule : each.rules()) {
                assertThat(rule.evaluate(snippet).hasViolation())
                        .as("%s%nin %s", rule.getDescription(), each)
                        .isEqualTo(each.breaks());
            }
        }
    }

    @Test
    void noRuleIsForgotten() {
        List<ArchRule> broken = CASES.stream()
                .filter(RuleCase::breaks)
                .flatMap(each -> each.rules().stream())
                .toList();

        assertThat(broken).containsAll(Rules.OF_PRODUCTION).containsAll(Rules.OF_EVERYTHING);
        assertThat(broken)
                .extracting(ArchRule::getDescription)
                .containsAll(Layer.ALL.stream()
                        .map(layer -> layer.rule().getDescription())
                        .toList());
    }

    private static JavaClasses compile(Path folder) {
        Snippets snippets = new Snippets();
        RuleCase.STUBS.forEach(part -> snippets.add(Layer.BASE + "." + part + ".stub", "Stub", "public class Stub {}"));
        for (int i = 0; i < CASES.size(); i++) {
            snippets.add(packageOf(i), "A", CASES.get(i).code());
        }
        return snippets.compile(folder);
    }

    private static String packageOf(int number) {
        return Layer.BASE + "." + CASES.get(number).part() + ".case" + number;
    }
}
