package io.karmi.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.contract.MessageTaker;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.id.TechnologyId;
import io.karmi.kit.Deadline;
import io.karmi.technology.Pipe;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** A living peer that takes nothing of a full ring. */
public class FullRingTest {
  private static final long SECONDS = 60;

  /** More than a ring takes. */
  private static final int BYTES = 2 * SharedRings.LONG_CAPACITY;

  /** The part of a processor that a sender may take, in a second. */
  private static final long MOST_CPU_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final BlockingQueue<Pipe> accepted = new LinkedBlockingQueue<>();
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private ShmTechnology server;
  private MemoryDoor door;

  @Before
  public void open() throws IOException {
    server = Shared.open(new MessageTaker(accepted::add));
    TechnologyId way = server.listen(0);
    door = new MemoryDoor(ManualOpener.socket(way));
  }

  @After
  public void close() {
    server.close();
  }

  private RawPeer connect() throws IOException {
    RawPeer peer = RawPeer.introduced(door, 1, 2, 0, 0, "messages/uka");
    peer.send(new byte[Long.BYTES]);
    return peer;
  }

  @Test
  public void senderThatWaitsForRoomLeavesTheProcessorToOthers() throws Exception {
    try (RawPeer peer = connect()) {
      assertThat(peer).isNotNull();
      FutureTask<Void> sending;
      try (Pipe pipe = Objects.requireNonNull(accepted.poll(SECONDS, TimeUnit.SECONDS))) {
        sending = sending(pipe);
        Thread sender = new Thread(sending);
        sender.start();
        Deadline.await("it waits", () -> sender.getState() == Thread.State.TIMED_WAITING);
        long before = threads.getThreadCpuTime(sender.getId());
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        Deadline.await("a second has passed", () -> System.nanoTime() - end > 0);
        assertThat(threads.getThreadCpuTime(sender.getId()) - before).isLessThan(MOST_CPU_NANOS);
      }
      assertThatThrownBy(() -> sending.get(SECONDS, TimeUnit.SECONDS))
          .hasCauseInstanceOf(IOException.class);
    }
  }

  private static FutureTask<Void> sending(Pipe pipe) {
    return new FutureTask<>(
        () -> {
          pipe.send(new byte[BYTES], 0, BYTES);
          return null;
        });
  }
}
