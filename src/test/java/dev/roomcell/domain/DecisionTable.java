package dev.roomcell.domain;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** A table drawn as text: what stands at the left, what stands above, and what is in each cell. */
final class DecisionTable {
    private final List<List<String>> lines;

    DecisionTable(String drawn) {
        this.lines = drawn.lines()
                .filter(line -> !line.isBlank())
                .map(line -> List.of(line.strip().split(" +", -1)))
                .toList();
    }

    List<String> columns() {
        return lines.get(0);
    }

    List<String> rows() {
        return lines.stream().skip(1).map(line -> line.get(0)).toList();
    }

    /** Each cell as (row, column, content). */
    Stream<Arguments> cells() {
        return lines.stream()
                .skip(1)
                .flatMap(line -> IntStream.range(0, columns().size())
                        .mapToObj(i -> Arguments.of(line.get(0), columns().get(i), line.get(i + 1))));
    }

    static List<String> names(Enum<?>... values) {
        return Arrays.stream(values).map(Enum::name).toList();
    }
}
