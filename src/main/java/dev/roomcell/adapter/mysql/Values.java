package dev.roomcell.adapter.mysql;

import dev.roomcell.domain.RoomKey;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Ids and blobs as the client wants them: bytes, so that no character set has a say. */
final class Values {
    private Values() {}

    static Buffer bytes(String text) {
        return Buffer.buffer(text.getBytes(StandardCharsets.UTF_8));
    }

    static Buffer bytes(byte[] bytes) {
        return Buffer.buffer(bytes);
    }

    static String text(Row row, int column) {
        return row.getBuffer(column).toString(StandardCharsets.UTF_8);
    }

    static byte[] blob(Row row, int column) {
        return row.getBuffer(column).getBytes();
    }

    static RoomKey key(Row row, int appColumn) {
        return new RoomKey(text(row, appColumn), text(row, appColumn + 1));
    }

    /** The parameters of {@link Sql#ONE_ROOM}, and more after them. */
    static Tuple room(RoomKey key, Object... more) {
        List<Object> values = new ArrayList<>(2 + more.length);
        values.add(bytes(key.appCode()));
        values.add(bytes(key.roomId()));
        values.addAll(List.of(more));
        return Tuple.wrap(values);
    }

    /** The parameters of {@link Sql#ONE_ROOM}, twice. */
    static Tuple twice(RoomKey key) {
        return room(key, bytes(key.appCode()), bytes(key.roomId()));
    }

    /** Adds the parameters of {@link Sql#ONE_ROOM}. */
    static void addRoom(Tuple values, RoomKey key) {
        values.addValue(bytes(key.appCode()));
        values.addValue(bytes(key.roomId()));
    }
}
