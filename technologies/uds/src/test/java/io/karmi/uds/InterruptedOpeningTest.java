package io.karmi.uds;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.Callee;
import io.karmi.contract.Nodes;
import io.karmi.id.ObjectId;
import io.karmi.kit.Deadline;
import io.karmi.technology.Technology;
import java.io.IOException;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Callers that are interrupted while their connection is opened. */
public class InterruptedOpeningTest {
  @SuppressWarnings("NullAway.Init")
  private Path directory;

  private final Thread caller = Thread.currentThread();

  /** Short, as the path of a socket has to be. */
  @Before
  public void make() throws IOException {
    directory = Files.createTempDirectory("k");
  }

  @After
  public void delete() throws IOException {
    Thread.interrupted(); // in case that the test has failed
    Files.delete(directory);
  }

  /** Accepts one connection, and interrupts its opener, who waits for an introduction. */
  private void interruptOne(ServerSocketChannel listening, Path moved, Path socket) {
    try (SocketChannel opened = listening.accept()) {
      opened.read(ByteBuffer.allocate(1));
      Files.move(moved, socket, StandardCopyOption.REPLACE_EXISTING);
      caller.interrupt();
      Channels.newInputStream(opened).transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      return; // the opener has closed it
    }
  }

  @Test
  public void interruptDoesNotKeepACallFromItsConnection() throws Exception {
    Callee node = Nodes.successor();
    SocketDirectory sockets = new SocketDirectory(List.of(directory));
    try (Technology server = Local.open(node, sockets);
        Technology client = Local.open(Nodes.caller(), sockets);
        ServerSocketChannel before = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      ObjectId object = Nodes.object(node, server.listen(0));
      Path socket = directory.resolve(object.technology(0).address());
      Path moved = directory.resolve("moved");
      Files.move(socket, moved);
      before.bind(UnixDomainSocketAddress.of(socket));
      Thread interrupter = new Thread(() -> interruptOne(before, moved, socket));
      interrupter.start();
      assertThat(Nodes.next(client, object, 1)).isEqualTo(2);
      assertThat(Thread.interrupted()).as("what the caller finds afterwards").isTrue();
      Deadline.await("the first connection is closed", () -> !interrupter.isAlive());
    }
  }
}
