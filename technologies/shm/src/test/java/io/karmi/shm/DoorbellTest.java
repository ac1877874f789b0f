package io.karmi.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class DoorbellTest {
  private static final int MANY = 1 << 16;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private static void fill(SocketChannel socket) throws IOException {
    socket.configureBlocking(false);
    ByteBuffer bytes = ByteBuffer.allocateDirect(MANY);
    while (socket.write(bytes.clear()) > 0) {
      continue;
    }
  }

  @Test
  public void oneLookTakesFewOfManyBytes() throws Exception {
    UnixDomainSocketAddress address =
        UnixDomainSocketAddress.of(folder.getRoot().toPath().resolve("bell"));
    try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      listener.bind(address);
      try (SocketChannel peer = SocketChannel.open(address);
          SocketChannel own = listener.accept()) {
        fill(peer);
        Doorbell bell = new Doorbell(own, Selector.open(), () -> {});
        assertThat(bell.isPeerThere()).isTrue();
        assertThat(own.read(ByteBuffer.allocate(1))).as("bytes that are left").isEqualTo(1);
        bell.close();
      }
    }
  }
}
