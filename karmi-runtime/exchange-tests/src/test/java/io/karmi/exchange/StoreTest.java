package io.karmi.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The folder of what is stored. */
public class StoreTest {
  private static final long SPACE = 7;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();
  private Path above;
  private Path store;
  private HostDirectory files;
  private GroupWriter writer;

  @Before
  public void open() throws IOException {
    above = folder.getRoot().toPath().toRealPath().resolve("above");
    store = above.resolve("store").resolve(Long.toHexString(SPACE));
    System.setProperty("karmi.exchange.dir", folder.newFolder("host").toString());
    System.setProperty("karmi.exchange.store", store.getParent().toString());
    files = HostDirectory.open(SPACE);
    writer = new GroupWriter(files, SPACE, 1, 1);
  }

  @After
  public void close() throws IOException {
    writer.close();
    files.close();
    System.clearProperty("karmi.exchange.dir");
    System.clearProperty("karmi.exchange.store");
  }

  /** Files and folders that are forced to the disk meanwhile, in order. */
  private List<Path> forced(Callable<?> work) throws Exception {
    Path events = folder.newFile().toPath();
    try (Recording recording = new Recording()) {
      recording.enable("jdk.FileForce").withoutThreshold();
      recording.start();
      work.call();
      recording.stop();
      recording.dump(events);
    }
    return RecordingFile.readAllEvents(events).stream()
        .map(each -> Path.of(each.getString("path")))
        .toList();
  }

  /** What names a file is in its folder: after a power cut there may be bytes without a name. */
  @Test
  public void groupsAreStoredWhenTheirNamesAndThoseOfTheirFoldersAreOnTheDisk() throws Exception {
    List<Path> first = forced(() -> writer.write("kept", true, null));
    assertThat(first).hasSize(5);
    assertThat(first.subList(0, 3))
        .containsExactlyInAnyOrder(above.getParent(), above, store.getParent());
    assertThat(first.get(3).getFileName().toString()).startsWith(".tmp-");
    assertThat(first.get(4)).isEqualTo(store);
    assertThat(forced(() -> writer.write("kept", true, null))).hasSize(2).endsWith(store);
  }

  @Test
  public void groupsThatAreNotStoredAreForcedNowhere() throws Exception {
    assertThat(forced(() -> writer.write(new long[20_000], false, null))).isEmpty();
  }

  @Test
  public void removedGroupsAreRemovedOnTheDisk() throws Exception {
    GroupAddress group = writer.write("kept", true, null).address();
    assertThat(files.stored(group)).exists();
    assertThat(
            forced(
                () -> {
                  files.remove(group);
                  files.remove(group);
                  return group;
                }))
        .containsExactly(store);
    assertThat(Files.list(store)).isEmpty();
  }
}
