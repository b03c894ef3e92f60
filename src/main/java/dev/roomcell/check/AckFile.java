package dev.roomcell.check;

import dev.roomcell.domain.RoomKey;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads what the load generator notes: {@code app TAB room TAB command_id TAB version TAB kind}, a line for each
 * acknowledged command that made a version.
 */
final class AckFile {
    private static final int FIELDS = 5;

    private AckFile() {}

    /** A file that holds something else. */
    static final class MalformedException extends Exception {
        private static final long serialVersionUID = 1L;

        MalformedException(Path file, long line, String why) {
            super(file + " line " + line + ": " + why);
        }
    }

    /**
     * Gives every acknowledgement of {@code file} to {@code to}.
     *
     * @return the torn last line, if there is one: whoever wrote it was stopped on the way, so it says nothing
     */
    static Optional<String> read(Path file, Consumer<Ack> to) throws IOException, MalformedException {
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            long number = 0;
            StringBuilder line = new StringBuilder();
            for (int c = reader.read(); c >= 0; c = reader.read()) {
                if (c == '\n') {
                    number++;
                    to.accept(ack(file, number, line.toString()));
                    line.setLength(0);
                } else {
                    line.append((char) c);
                }
            }
            return line.length() == 0 ? Optional.empty() : Optional.of(line.toString());
        }
    }

    private static Ack ack(Path file, long number, String line) throws MalformedException {
        String[] fields = line.split("\t", -1);
        if (fields.length != FIELDS) {
            throw new MalformedException(file, number, fields.length + " fields by tabs, not " + FIELDS);
        }
        try {
            return new Ack(new RoomKey(fields[0], fields[1]), fields[2], Long.parseLong(fields[3]), fields[4]);
        } catch (NumberFormatException e) {
            throw new MalformedException(file, number, "'" + fields[3] + "' is no version");
        } catch (IllegalArgumentException e) {
            throw new MalformedException(file, number, String.valueOf(e.getMessage()));
        }
    }
}
