package dev.roomcell.adapter.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GoldenFolderTest {
    private static final byte[] OLD = "the bytes of old, more than one line".getBytes(StandardCharsets.UTF_8);
    private static final byte[] NEW = {0, 1, -1, '|'};

    @TempDir
    Path temp;

    private GoldenFolder folder = GoldenFolder.COMMITTED;

    @BeforeEach
    void writeOne() throws IOException {
        folder = new GoldenFolder(temp.resolve("golden"));
        folder.check(Map.of("kind/old", OLD), true);
    }

    @Test
    void whatWasWrittenIsReadBack() throws IOException {
        folder.check(Map.of("kind/old", OLD, "new", NEW), true);

        assertThat(folder.bytes("kind/old")).isEqualTo(OLD);
        assertThat(folder.bytes("new")).isEqualTo(NEW);
        folder.check(Map.of("kind/old", OLD, "new", NEW), false);
    }

    @Test
    void anAdditionIsRefusedUntilItIsAccepted() {
        assertThatThrownBy(() -> folder.check(Map.of("kind/old", OLD, "new", NEW), false))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("new has no file")
                .hasMessageContaining(GoldenFolder.ACCEPT);
    }

    @Test
    void aChangeIsRefusedEvenWhenAccepting() throws IOException {
        assertThatThrownBy(() -> folder.check(Map.of("kind/old", NEW), true))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("kind/old was");
        assertThat(folder.bytes("kind/old")).isEqualTo(OLD);
    }

    @Test
    void aLossIsRefusedEvenWhenAccepting() {
        assertThatThrownBy(() -> folder.check(Map.of("new", NEW), true))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("kind/old is not written any more");
        assertThat(temp.resolve("golden/new.hex")).doesNotExist();
    }
}
