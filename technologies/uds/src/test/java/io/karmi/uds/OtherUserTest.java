package io.karmi.uds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Assume;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What a process of another user of the host can do; only where this one may become another. */
public class OtherUserTest {
  /** An account without rights on most systems; it need not have a name. */
  private static final String OTHER = "65534";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();
  private final List<Process> started = new ArrayList<>();

  @Before
  public void thisUserMayBecomeAnother() throws Exception {
    Process tried;
    try {
      tried = asOther("true");
    } catch (IOException e) {
      Assume.assumeNoException("no setpriv", e);
      return;
    }
    Assume.assumeTrue("root only", tried.waitFor(60, TimeUnit.SECONDS) && tried.exitValue() == 0);
    everybodyMay(folder.getRoot().toPath(), "rwxrwxrwx");
  }

  @After
  public void end() {
    started.forEach(Process::destroyForcibly);
  }

  private static void everybodyMay(Path path, String what) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(what));
  }

  private Process asOther(String... command) throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of("setpriv", "--reuid=" + OTHER, "--regid=" + OTHER, "--clear-groups"));
    all.addAll(List.of(command));
    Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
    started.add(process);
    return process;
  }

  @Test
  public void socketsCannotBeReachedOrListed() throws Exception {
    Path directory = folder.getRoot().toPath().resolve("karmi");
    Path socket = new SocketDirectory(List.of(directory)).newSocket();
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      assertThat(socket).exists();
      for (String attempt : List.of("ls " + directory, "test -e " + socket, "rm " + socket)) {
        Process tried = asOther("sh", "-c", attempt);
        assertThat(tried.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(tried.exitValue()).as(attempt).isNotZero();
      }
      assertThat(socket).exists();
    }
  }

  @Test
  public void directoryThatAnotherUserHasMadeInAdvanceIsNotUsed() throws Exception {
    Path directory = folder.getRoot().toPath().resolve("squatted");
    Process squatter = asOther("mkdir", "-m", "700", directory.toString());
    assertThat(squatter.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(squatter.exitValue()).isZero();
    assertThatThrownBy(() -> new SocketDirectory(List.of(directory)).newSocket())
        .isInstanceOf(IOException.class)
        .satisfies(
            e ->
                assertThat(e.getSuppressed()[0])
                    .hasMessageContaining("is not used: it must be a directory (no link) of user"));
  }

  @Test
  public void connectionOfAnotherUserIsRefusedThoughItReachesTheSocket() throws Exception {
    Path socket = folder.getRoot().toPath().resolve("open.sock");
    Path program = folder.getRoot().toPath().resolve("Connect.java");
    Files.writeString(
        program,
        "public class Connect {\n"
            + "  public static void main(String[] to) throws Exception {\n"
            + "    var socket = java.net.UnixDomainSocketAddress.of(to[0]);\n"
            + "    try (var channel = java.nio.channels.SocketChannel.open(socket)) {\n"
            + "      channel.read(java.nio.ByteBuffer.allocate(1));\n"
            + "    }\n"
            + "  }\n"
            + "}\n");
    everybodyMay(program, "rw-r--r--");
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      everybodyMay(socket, "rwxrwxrwx");
      String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
      Assume.assumeTrue(
          "the other user can run this JVM",
          asOther(java, "-version").waitFor(120, TimeUnit.SECONDS) && lastEndedWell());
      asOther(java, "-Xshare:auto", program.toString(), socket.toString());
      server.configureBlocking(false);
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
      SocketChannel arrived = server.accept();
      while (arrived == null) {
        assertThat(System.nanoTime() - end).as("no process has come in two minutes").isNegative();
        Thread.sleep(20);
        arrived = server.accept();
      }
      try (SocketChannel channel = arrived) {
        assertThatThrownBy(() -> OwnUser.check(channel))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("and this one is of");
      }
    }
  }

  private boolean lastEndedWell() {
    return started.get(started.size() - 1).exitValue() == 0;
  }
}
