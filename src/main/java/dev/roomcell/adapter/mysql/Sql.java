package dev.roomcell.adapter.mysql;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The shapes of statement that take any number of rows, in a handful of texts that stay prepared. */
final class Sql {
    /** The most rows of one statement; a power of two. */
    private static final int MOST_ROWS = 256;

    /** From so many values on MariaDB makes a subquery of an IN (in_predicate_conversion_threshold). */
    private static final int MOST_IN_VALUES = 1_000;

    private static final int SHAPES = Integer.numberOfTrailingZeros(MOST_ROWS) + 1;

    private Sql() {}

    /** The columns that name a room. */
    static final String ROOM = "app_code, room_id";
    /** A condition that names one room. */
    static final String ONE_ROOM = one(ROOM);

    /** The columns that name a timer. */
    static final String TIMER = ROOM + ", kind, ref";
    /** A condition that names one timer. */
    static final String ONE_TIMER = one(TIMER);

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
            this(head, placeholders(columns), columns, tail);
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
     * A condition over any number of keys, filled up to the next power of two by repeating the last key. Several are a row
     * IN, whose values the server sorts: each row that it reads costs one search, where an OR is tried key by key (128 keys
     * of the outbox: 6 instead of 15 us a row read, 7 instead of 13 a row changed). One alone is not: a row IN of one scans.
     *
     * @param head what stands before the condition
     * @param columns what names one row, with commas between
     * @param tail what follows
     */
    static String anyOf(String head, String columns, int keys, String tail) {
        int rows = filledUp(keys);
        int values = columns.split(",", -1).length;
        String any = one(columns);
        if (rows > 1 && rows * values < MOST_IN_VALUES) {
            String row = "(" + placeholders(values) + ")";
            any = "(" + columns + ") IN (" + String.join(", ", Collections.nCopies(rows, row)) + ")";
        } else if (rows > 1) {
            any = String.join(" OR ", Collections.nCopies(rows, "(" + any + ")"));
        }
        return head + " (" + any + ") " + tail;
    }

    /**
     * The end of a DELETE by so many keys, which takes no index hint: that there are no more rows to find keeps the server
     * from reading a small table as a whole.
     */
    static String limit(int keys) {
        return " LIMIT " + filledUp(keys);
    }

    /** The condition that {@code columns}, with commas between, have given values. */
    static String one(String columns) {
        return Arrays.stream(columns.split(", ", -1))
                .map(column -> column + " = ?")
                .collect(Collectors.joining(" AND "));
    }

    /** {@code count} question marks, with commas between. */
    static String placeholders(int count) {
        return String.join(", ", Collections.nCopies(count, "?"));
    }

    /** The number of keys that {@link #anyOf} makes of {@code keys}. */
    static int filledUp(int keys) {
        return keys <= 1 ? 1 : Integer.highestOneBit(keys - 1) << 1;
    }
}
