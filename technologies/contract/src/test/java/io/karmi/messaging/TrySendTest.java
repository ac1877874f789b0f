package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Deadline;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** What is sent only if there is room. */
public class TrySendTest {
  private static final int WINDOW = 512 * 1024;

  @Rule public final Timeout limit = Timeout.seconds(120);

  private final TestHost a = new TestHost(Map.of());
  private final TestHost b = new TestHost(Map.of());

  @After
  public void close() {
    a.messaging.close();
    b.messaging.close();
  }

  /** Counts how often it is marshalled. */
  static final class Counted implements Serializable {
    private static final long serialVersionUID = 1;
    static final AtomicInteger WRITTEN = new AtomicInteger();

    private void writeObject(ObjectOutputStream out) throws IOException {
      WRITTEN.incrementAndGet();
      out.defaultWriteObject();
    }
  }

  @Test
  public void messageWithoutRoomIsNotMarshalled() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    b.messaging.receive(byte[].class, (message, from) -> go.await());
    b.messaging.receive(Byte.class, (message, from) -> go.await());
    Address to = b.messaging.address();
    while (a.messaging.trySend(new byte[1000], to)) {
      continue;
    }
    while (a.messaging.trySend((byte) 1, to)) {
      continue;
    }
    for (int i = 0; i < 100; i++) {
      assertThat(a.messaging.trySend(new Counted(), to)).isFalse();
    }
    go.countDown();
    assertThat(Counted.WRITTEN).hasValue(0);
  }

  @Test
  public void messageAsLargeAsTheWindowIsSentOnceAllBeforeItIsProcessed() throws Exception {
    AtomicInteger received = new AtomicInteger();
    b.messaging.receive(Integer.class, (message, from) -> received.addAndGet(message));
    b.messaging.receive(byte[].class, (message, from) -> received.addAndGet(message.length));
    Address to = b.messaging.address();
    a.messaging.send(1, to);
    byte[] large = new byte[WINDOW];
    Deadline.await("room", () -> a.messaging.trySend(large, to));
    Deadline.await("room once more", () -> a.messaging.trySend(large, to));
    Deadline.await("all messages", () -> received.get() == 1 + 2 * WINDOW);
  }
}
