package io.karmi.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.MessageTaker;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.id.TechnologyId;
import io.karmi.shm.MemoryDoor.MemoryChannel;
import io.karmi.technology.Pipe;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * A peer that cuts the shared file off, and makes it whole again before the other end can look. The
 * thread that has met the gap gets an exception of the connection, and nothing behind it.
 */
public class MendedMemoryTest {
  private static final int CONNECTIONS = 200;
  private static final int CUTS = 50;
  private static final long SECONDS = 60;
  private static final int LONG_RINGS = 32;

  /** What both ends write to the end of the file: by its absence they know that it was cut off. */
  private static final long WHOLE = 0x4B61524D4977686FL;

  private final BlockingQueue<Pipe> accepted = new LinkedBlockingQueue<>();
  private ShmTechnology server;
  private TechnologyId way;

  @Before
  public void open() throws IOException {
    server = Shared.open(new MessageTaker(accepted::add));
    way = server.listen(0);
  }

  @After
  public void close() {
    server.close();
  }

  /** Uses a pipe until it fails; null, or a fault that came behind the use. */
  private static InternalError use(Pipe pipe, boolean sends) {
    byte[] bytes = new byte[8];
    try {
      while (true) {
        if (sends) {
          pipe.send(bytes, 0, bytes.length);
        } else {
          pipe.receive(bytes, 0, bytes.length);
        }
        try {
          Thread.yield(); // here at the latest the JVM tells of a fault
        } catch (InternalError e) {
          return e;
        }
      }
    } catch (IOException e) {
      return null;
    }
  }

  private static void cutAndMend(MemoryChannel channel, FutureTask<?> use) throws IOException {
    FileChannel file = channel.file();
    long size = file.size();
    ByteBuffer word = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    word.putLong(0, WHOLE);
    try {
      for (int cut = 0; cut < CUTS && !use.isDone(); cut++) {
        file.truncate(0);
        file.write(word.rewind(), size - Long.BYTES);
        channel.ring();
      }
    } catch (IOException e) {
      assertThat(e).as("closed already").hasMessageContaining("pipe");
    }
  }

  private void assertFaultsAreOfTheConnection(boolean sends) throws Exception {
    for (int i = 0; i < CONNECTIONS; i++) {
      MemoryChannel[] opened = {null};
      MemoryDoor door = new MemoryDoor(ManualOpener.socket(way));
      try (RawPeer peer =
          RawPeer.introduced(() -> opened[0] = door.open(), i, 1, LONG_RINGS, 0, "messages/uka")) {
        peer.send(new byte[Long.BYTES]);
        FutureTask<InternalError> use;
        try (Pipe pipe = Objects.requireNonNull(accepted.poll(SECONDS, TimeUnit.SECONDS))) {
          use = new FutureTask<>(() -> use(pipe, sends));
          new Thread(use).start();
          cutAndMend(opened[0], use);
        }
        assertThat(use.get(SECONDS, TimeUnit.SECONDS)).as("behind use %s", i).isNull();
      }
    }
  }

  @Test
  public void senderMeetsNoFaultBehindWhatItSends() throws Exception {
    assertFaultsAreOfTheConnection(true);
  }

  @Test
  public void receiverMeetsNoFaultBehindWhatItReceives() throws Exception {
    assertFaultsAreOfTheConnection(false);
  }
}
