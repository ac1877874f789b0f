package io.karmi.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.MessageTaker;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.id.TechnologyId;
import io.karmi.shm.MemoryDoor.MemoryChannel;
import io.karmi.technology.Pipe;
import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * Which connections have rings as long as the window of messages: see docs/wire-format.md, 3.10.
 */
public class LongRingsTest {
  private static final long KEY = 4711;
  private static final int SHORT_FILE_BYTES = 274_432;
  private static final int LONG_FILE_BYTES = 1_060_864;
  private static final int WINDOW_BYTES = 524_288;

  private final BlockingQueue<Pipe> accepted = new LinkedBlockingQueue<>();
  private MessageTaker node;
  private ShmTechnology server;
  private TechnologyId way;

  @Before
  public void open() throws IOException {
    node = new MessageTaker(accepted::add);
    server = Shared.open(node);
    way = server.listen(0);
  }

  @After
  public void close() {
    server.close();
  }

  @Test
  public void connectionForMessagesHasLongRings() throws Exception {
    try (ManualOpener opener = new ManualOpener(way, "messages/uka")) {
      assertThat(Files.size(opener.file)).isEqualTo(LONG_FILE_BYTES);
    }
  }

  @Test
  public void connectionForCallsHasShortRings() throws Exception {
    try (ManualOpener opener = new ManualOpener(way, "uka")) {
      assertThat(Files.size(opener.file)).isEqualTo(SHORT_FILE_BYTES);
    }
  }

  @Test
  public void nodeThatKnowsNoLongRingsGetsShortOnesForMessages() throws Exception {
    MemoryChannel[] opened = {null};
    MemoryDoor door = new MemoryDoor(ManualOpener.socket(way));
    try (RawPeer peer = RawPeer.withoutKey(() -> opened[0] = door.open(), 1, 2)) {
      assertThat(peer).isNotNull();
      assertThat(opened[0].file().size()).isEqualTo(SHORT_FILE_BYTES);
    }
  }

  @Test
  public void aWindowOfMessagesIsSentBeforeAnyIsReceived() throws Exception {
    MessageTaker opener = new MessageTaker(pipe -> {});
    try (ShmTechnology client = Shared.open(opener);
        Pipe pipe = client.open(node.node(), way, KEY)) {
      FutureTask<Void> sending =
          new FutureTask<>(
              () -> {
                pipe.send(new byte[WINDOW_BYTES], 0, WINDOW_BYTES);
                return null;
              });
      new Thread(sending).start();
      sending.get(60, TimeUnit.SECONDS);
      try (Pipe other = accepted.poll(60, TimeUnit.SECONDS)) {
        byte[] bytes = new byte[WINDOW_BYTES];
        for (int come = 0; come < WINDOW_BYTES; ) {
          int count = other.receive(bytes, come, WINDOW_BYTES - come);
          assertThat(count).isPositive();
          come += count;
        }
      }
    }
  }
}
