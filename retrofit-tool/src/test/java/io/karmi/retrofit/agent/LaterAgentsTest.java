package io.karmi.retrofit.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The jar by which the agent is loaded once more. */
public class LaterAgentsTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void jarThatIsLoadedIsNoOtherUsers() throws Exception {
    Path directory = folder.getRoot().toPath();
    assumeTrue(directory.getFileSystem().supportedFileAttributeViews().contains("posix"));
    Path jar = LaterAgents.write(directory, new byte[] {1, 2});
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(jar)))
        .isEqualTo("rw-------");
    assertThat(jar).hasBinaryContent(new byte[] {1, 2});
  }
}
