package io.karmi.retrofit.jar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Directories whose files come and go while they are listed. */
public class TreeTest {
  private static final int ROUNDS = 200;
  private static final int MANY = 100;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test(timeout = 120_000)
  public void whatIsRemovedWhileItIsListedIsLeftOut() throws Exception {
    Path root = folder.getRoot().toPath().toRealPath();
    Path stays = Files.createDirectory(root.resolve("stays"));
    AtomicBoolean over = new AtomicBoolean();
    Thread other =
        new Thread(
            () -> {
              while (!over.get()) {
                try {
                  for (int i = 0; i < MANY; i++) {
                    Files.createDirectories(root.resolve("goes" + i));
                  }
                  for (int i = MANY - 1; i >= 0; i--) { // those that are looked at last, first
                    Files.delete(root.resolve("goes" + i));
                  }
                } catch (IOException e) {
                  return;
                }
              }
            });
    other.start();
    try {
      for (int i = 0; i < ROUNDS; i++) {
        assertThat(Tree.of(root)).contains(root, stays);
      }
    } finally {
      over.set(true);
      other.join();
    }
  }

  @Test
  public void aRootThatIsNotThereIsAnError() {
    Path absent = folder.getRoot().toPath().resolve("absent");
    assertThatThrownBy(() -> Tree.of(absent)).isInstanceOf(NoSuchFileException.class);
  }
}
