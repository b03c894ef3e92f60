package dev.roomcell.adapter.codec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Bytes as they were once written, under version control: what is stored today must be readable in years, and a replay
 * must give the very bytes of the first answer. A file can be added; it can never be changed or lost.
 *
 * @param folder where the files are
 */
record GoldenFolder(Path folder) {
    /** The files in the sources, so that new ones can be added. */
    static final GoldenFolder COMMITTED =
            new GoldenFolder(Path.of(System.getProperty("basedir", "")).resolve("src/test/resources/golden"));

    /** How to add files. */
    static final String ACCEPT = "mvn -q test -Dtest=GoldenTest -Dgolden.accept=true";

    private static final String SUFFIX = ".hex";
    private static final int BYTES_A_LINE = 16;

    /**
     * Fails unless the files are exactly {@code encoded}.
     *
     * @param encoded the bytes of today, by name
     * @param accept whether what has no file yet gets one; a difference is never accepted
     */
    void check(Map<String, byte[]> encoded, boolean accept) throws IOException {
        SortedMap<String, String> committed = read();
        List<String> complaints = new ArrayList<>();
        SortedMap<String, String> added = new TreeMap<>();
        new TreeMap<>(encoded).forEach((name, bytes) -> {
            String golden = committed.remove(name);
            if (golden == null) {
                added.put(name, dump(bytes));
            } else if (!golden.equals(dump(bytes))) {
                complaints.add(name + " was\n" + golden + "and is now\n" + dump(bytes));
            }
        });
        committed.keySet().forEach(name -> complaints.add(name + " is not written any more"));
        if (complaints.isEmpty() && accept) {
            for (Map.Entry<String, String> file : added.entrySet()) {
                write(file.getKey(), file.getValue());
            }
        } else {
            added.keySet().forEach(name -> complaints.add(name + " has no file; after a review run `" + ACCEPT + "`"));
        }
        if (!complaints.isEmpty()) {
            throw new AssertionError("What is stored has changed:\n" + String.join("\n", complaints));
        }
    }

    /** The bytes of a file. */
    byte[] bytes(String name) throws IOException {
        String hex = Files.readString(file(name))
                .lines()
                .map(line -> line.substring(0, line.indexOf('|')).replace(" ", ""))
                .collect(Collectors.joining());
        return HexFormat.of().parseHex(hex);
    }

    private SortedMap<String, String> read() throws IOException {
        SortedMap<String, String> committed = new TreeMap<>();
        if (!Files.exists(folder)) {
            return committed;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = folder.relativize(file).toString().replace('\\', '/');
                committed.put(
                        name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name,
                        Files.readString(file));
            }
        }
        return committed;
    }

    private void write(String name, String dump) throws IOException {
        Files.createDirectories(file(name).getParent());
        Files.writeString(file(name), dump);
    }

    private Path file(String name) {
        return folder.resolve(name + SUFFIX);
    }

    /** The bytes in hexadecimal, and beside them in ASCII, for whoever reviews a new file. */
    private static String dump(byte[] bytes) {
        StringBuilder dump = new StringBuilder();
        for (int from = 0; from < bytes.length; from += BYTES_A_LINE) {
            int to = Math.min(from + BYTES_A_LINE, bytes.length);
            dump.append(String.format("%-48s|", HexFormat.ofDelimiter(" ").formatHex(bytes, from, to)));
            for (int i = from; i < to; i++) {
                dump.append(bytes[i] >= ' ' && bytes[i] < 0x7f ? (char) bytes[i] : '.');
            }
            dump.append("|\n");
        }
        return dump.toString();
    }
}
