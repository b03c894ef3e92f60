package dev.roomcell.adapter.mysql;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The shapes of statement that take any number of rows, in a handful of texts that stay prepared. */
final class Sql {
    /** The most rows of one statement; a power of two. */
    private static final int MOST_ROWS = 256;

    private static final int SHAPES = Integer.numberOfTrailingZeros(MOST_ROWS) + 1;

    private Sql() {}

    /** A condition that names one room. */
    static final String ONE_ROOM = "app_code = ? AND room_id = ?";

    /** A condition that names one timer. */
    static final String ONE_TIMER = ONE_ROOM + " AND kind = ? AND ref = ?";

    /**
     * A multi-row insert, in one text for each power of two: any number of rows is a sum of them, so a connection
     * prepares nine statements and not one for each number.
     */
    static final class MultiRow {
        private final int columns;
        private final String[] texts = new String[SHAPES];

        /**
         * An insert of {@code columns} values a row.
         *
         * @param head up to and with VALUES
         * @param tail what follows the rows; may be empty
         */
        MultiRow(String head, int columns, String tail) {
            this(head, IntStream.range(0, columns).mapToObj(i -> "?").collect(Collectors.joining(", ")), columns, tail);
        }

        /**
         * An insert of rows that are not all parameters.
         *
         * @param values what stands between the parentheses of one row, with {@code columns} question marks
         */
        MultiRow(String head, String values, int columns, String tail) {
            this.columns = columns;
            String row = "(" + values + ")";
            for (int shape = 0; shape < SHAPES; shape++) {
                String rows = IntStream.range(0, 1 << shape).mapToObj(i -> row).collect(Collectors.joining(", "));
                texts[shape] = head + " " + rows + " " + tail;
            }
        }

        /** Sends the rows, all statements at once; {@code values} holds them one after the other. */
        List<Future<RowSet<Row>>> send(List<Object> values, BiFunction<String, Tuple, Future<RowSet<Row>>> execute) {
            List<Future<RowSet<Row>>> sent = new ArrayList<>();
            int rows = values.size() / columns;
            for (int from = 0; from < rows; ) {
                int shape = Math.min(SHAPES - 1, 31 - Integer.numberOfLeadingZeros(rows - from));
                int to = from + (1 << shape);
                Tuple some = Tuple.wrap(new ArrayList<>(values.subList(from * columns, to * columns)));
                sent.add(execute.apply(texts[shape], some));
                from = to;
            }
            return sent;
        }
    }

    /**
     * A condition over any number of keys, filled up to the next power of two by repeating the last key.
     *
     * @param head what stands before the condition
     * @param one the condition for one key
     * @param tail what follows
     */
    static String anyOf(String head, String one, int keys, String tail) {
        String any = IntStream.range(0, filledUp(keys))
                .mapToObj(i -> "(" + one + ")")
                .collect(Collectors.joining(" OR "));
        return head + " (" + any + ") " + tail;
    }

    /** The number of keys that {@link #anyOf} makes of {@code keys}. */
    static int filledUp(int keys) {
        return keys <= 1 ? 1 : Integer.highestOneBit(keys - 1) << 1;
    }
}
