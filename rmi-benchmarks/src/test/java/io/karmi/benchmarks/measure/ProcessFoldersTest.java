package io.karmi.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Folders of processes that were killed are deleted, and no others. */
public class ProcessFoldersTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void folderOfAnEndedProcessIsDeletedByTheNext() throws Exception {
    Path parent = folder.getRoot().toPath();
    Process ended = new ProcessBuilder("true").start();
    assertThat(ended.waitFor(60, TimeUnit.SECONDS)).isTrue();
    Path left = Files.createDirectories(parent.resolve("test-" + ended.pid() + "-1"));
    Files.writeString(left.resolve("file"), "text");
    Path own = Files.createDirectory(ProcessFolders.next(parent, "test"));
    assertThat(left).doesNotExist();
    Path other = Files.createDirectory(parent.resolve("test-folder"));
    Path second = ProcessFolders.next(parent, "test");
    assertThat(second).isNotEqualTo(own).doesNotExist();
    assertThat(own).isDirectory();
    assertThat(other).isDirectory();
  }
}
