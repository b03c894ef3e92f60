package dev.roomcell.dev;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders with all that is in them. Nobody else may change them meanwhile. */
final class FileTrees {
    private FileTrees() {}

    /** Deletes a folder; does nothing if it is absent. */
    static void delete(Path top) throws IOException {
        if (!Files.exists(top)) {
            return;
        }
        List<Path> paths;
        try (Stream<Path> walk = Files.walk(top)) {
            paths = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : paths) {
            Files.delete(path);
        }
    }

    /** Copies a folder of plain files to a path that does not exist yet. */
    static void copy(Path from, Path to) throws IOException {
        List<Path> paths;
        try (Stream<Path> walk = Files.walk(from)) {
            paths = walk.toList();
        }
        for (Path path : paths) {
            Files.copy(path, to.resolve(from.relativize(path)));
        }
    }
}
