package dev.roomcell.api;

import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.FileDescriptor;
import dev.roomcell.proto.room.v1.CommandsProto;
import dev.roomcell.proto.room.v1.ErrorsProto;
import dev.roomcell.proto.room.v1.FactsProto;
import dev.roomcell.proto.room.v1.GuardProto;
import dev.roomcell.proto.room.v1.NoticesProto;
import dev.roomcell.proto.room.v1.QueriesProto;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The API that was promised: a {@code FileDescriptorSet} under version control.
 *
 * @param file where it is
 */
record CommittedApi(Path file) {
    /** The set of {@code room.v1}, in the sources, so that it can be renewed. */
    static final CommittedApi ROOM_V1 = new CommittedApi(inProject("src/test/resources/api/room_v1.desc"));

    /** How to renew it. */
    static final String ACCEPT = "mvn -q test -Dtest=ApiCompatibilityTest -Dapi.accept=true";

    /** A path below the project folder. */
    static Path inProject(String path) {
        return Path.of(System.getProperty("basedir", "")).resolve(path);
    }

    /** The compiled files of {@code room.v1}, by name. */
    static Collection<FileDescriptor> files() {
        Map<String, FileDescriptor> files = new TreeMap<>();
        List.of(
                        CommandsProto.getDescriptor(),
                        QueriesProto.getDescriptor(),
                        GuardProto.getDescriptor(),
                        FactsProto.getDescriptor(),
                        NoticesProto.getDescriptor(),
                        ErrorsProto.getDescriptor())
                .forEach(root -> collect(root, files));
        return files.values();
    }

    /** The API as compiled. */
    static FileDescriptorSet compiled() {
        FileDescriptorSet.Builder set = FileDescriptorSet.newBuilder();
        files().forEach(file -> set.addFile(file.toProto()));
        return set.build();
    }

    private static void collect(FileDescriptor file, Map<String, FileDescriptor> files) {
        if (file.getPackage().equals("room.v1") && files.putIfAbsent(file.getName(), file) == null) {
            file.getDependencies().forEach(dependency -> collect(dependency, files));
        }
    }

    /** The promised API; empty when none was promised yet. */
    FileDescriptorSet read() throws IOException {
        return Files.exists(file)
                ? FileDescriptorSet.parseFrom(Files.readAllBytes(file))
                : FileDescriptorSet.getDefaultInstance();
    }

    /**
     * Fails unless {@code now} is what was promised.
     *
     * @param accept whether additions are promised from now on, by renewing the file; breaks never are
     */
    void check(FileDescriptorSet now, boolean accept) throws IOException {
        FileDescriptorSet promised = read();
        List<String> breaks = ApiCompatibility.breaks(promised, now);
        if (!breaks.isEmpty()) {
            throw new AssertionError("The API breaks what was promised:\n  " + String.join("\n  ", breaks));
        }
        if (promised.equals(now)) {
            return;
        }
        if (!accept) {
            List<String> added = ApiCompatibility.breaks(now, promised);
            throw new AssertionError("The committed set is behind the API; after a review run `" + ACCEPT + "`:\n  "
                    + String.join("\n  ", added.isEmpty() ? List.of("only order, files or options differ") : added));
        }
        Files.write(file, now.toByteArray());
    }
}
