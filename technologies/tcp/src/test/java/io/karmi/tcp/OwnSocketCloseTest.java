package io.karmi.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.kit.Deadline;
import io.karmi.technology.Workers;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;

/** The close of sockets of the program's own, also where no thread or memory is left for it. */
public class OwnSocketCloseTest {
  /** Counts how often it is closed, and fails as often as it is told to. */
  private static final class Own extends Socket {
    final AtomicInteger closes = new AtomicInteger();
    final AtomicInteger failures = new AtomicInteger();

    @Override
    public void close() throws IOException {
      if (failures.getAndDecrement() > 0) {
        throw new OutOfMemoryError("made");
      }
      closes.incrementAndGet();
    }
  }

  /** Workers of which none is left until they are released. */
  private static final class Busy {
    final Workers workers = new Workers("OwnSocketCloseTest", 1);
    private final CountDownLatch released = new CountDownLatch(1);

    Busy() throws InterruptedException {
      CountDownLatch busy = new CountDownLatch(1);
      workers.execute(
          () -> {
            busy.countDown();
            awaitRelease();
          });
      assertThat(busy.await(60, TimeUnit.SECONDS)).isTrue();
    }

    private void awaitRelease() {
      try {
        if (!released.await(60, TimeUnit.SECONDS)) {
          throw new IllegalStateException("not released");
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    void release() {
      released.countDown();
    }
  }

  @Test
  public void closeWithoutThreadReturnsAndIsMadeOnceThereIsOne() throws Exception {
    Busy busy = new Busy();
    Own own = new Own();
    OwnSocketClose close = new OwnSocketClose(own, busy.workers);
    close.close();
    close.close();
    assertThat(own.closes).as("closes without a thread").hasValue(0);
    assertThat(busy.workers.waitingTasks()).as("closes that wait for a thread").isEqualTo(1);
    busy.release();
    Deadline.await("it is closed", () -> own.closes.get() == 1);
    close.close();
    Deadline.await("nothing is left to do", () -> busy.workers.waitingTasks() == 0);
    assertThat(own.closes).as("closes").hasValue(1);
  }

  @Test
  public void closesWithoutThreadWaitInTurn() throws Exception {
    Busy busy = new Busy();
    Own[] sockets = new Own[50];
    for (int i = 0; i < sockets.length; i++) {
      sockets[i] = new Own();
      new OwnSocketClose(sockets[i], busy.workers).close();
    }
    busy.release();
    for (Own each : sockets) {
      Deadline.await("each is closed", () -> each.closes.get() == 1);
    }
  }

  @Test
  public void closeThatFindsNoMemoryIsTriedAgain() throws Exception {
    Own own = new Own();
    own.failures.set(3);
    new OwnSocketClose(own, new Workers("OwnSocketCloseTest memory", 1)).close();
    Deadline.await("it is closed", () -> own.closes.get() == 1);
  }

  @Test
  public void closeThatFailsOtherwiseSaysSo() {
    Socket failing =
        new Socket() {
          @Override
          public void close() throws IOException {
            throw new IOException("on purpose");
          }
        };
    Workers workers = new Workers("OwnSocketCloseTest failing", 1);
    assertThatThrownBy(() -> closeWithin(failing, workers))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("closing a socket of the program's own failed")
        .hasRootCauseMessage("on purpose");
  }

  /** A loaded machine may take longer than a close is waited for: then it is tried again. */
  private static void closeWithin(Socket failing, Workers workers) throws IOException {
    for (int i = 0; i < 100; i++) {
      new OwnSocketClose(failing, workers).close();
    }
  }
}
