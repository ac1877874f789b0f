package io.karmi.uka.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.UkaOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.Test;

/** Queues of the JDK take their locks when they are read: no bytes make a lock that is held. */
public class HeldLocksTest {
  private static final String SYNC = "java.util.concurrent.locks.ReentrantLock$Sync";

  private static byte[] write(Object value, UkaOptions.Format format) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (UkaObjectOutputStream out = new UkaObjectOutputStream(bytes, new UkaOptions(format))) {
      out.writeObject(value);
    }
    return bytes.toByteArray();
  }

  /** Reads in a thread of its own, which waits for ever where the reader does. */
  private static Object read(byte[] bytes) throws Throwable {
    return inThread(() -> new UkaObjectInputStream(new ByteArrayInputStream(bytes)).readObject());
  }

  private static <T> T inThread(Callable<T> work) throws Throwable {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
    try {
      return task.get(60, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause();
    }
  }

  private static byte[] replace(byte[] bytes, String what, String by) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    assertThat(text).contains(what);
    return text.replace(what, by).getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Queues that hold their locks while they are written. */
  private static List<Queue<String>> queues() {
    List<Queue<String>> queues =
        List.of(
            new LinkedBlockingQueue<>(),
            new LinkedBlockingDeque<>(),
            new ArrayBlockingQueue<>(4),
            new PriorityBlockingQueue<>());
    queues.forEach(queue -> queue.add("element"));
    return queues;
  }

  @Test
  public void aLockWhoseDescriptionLeavesOutTheLevelThatFreesItIsRefused() throws Throwable {
    for (UkaOptions.Format format : UkaOptions.Format.values()) {
      for (Queue<String> queue : queues()) {
        byte[] bytes = replace(write(queue, format), SYNC, SYNC.replace("Sync", "Absn"));
        assertThatThrownBy(() -> read(bytes))
            .as("%s in the format %s", queue.getClass(), format)
            .isInstanceOf(InvalidClassException.class)
            .hasMessageContaining(SYNC);
      }
    }
  }

  /** The conditions of the forged queue are null, which it finds out behind the lock. */
  @Test
  public void aQueueInsideOfTheStateOfItsLockDoesNotWaitForTheLock() throws Exception {
    byte[] bytes = ForgedObjects.queueInItsLock();
    assertThatThrownBy(() -> read(bytes))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("signal");
  }

  @Test
  public void locksThatWereHeldAreFreeAndTheirKindIsKept() throws Throwable {
    ReentrantLock lock = new ReentrantLock(true);
    lock.lock();
    ReentrantReadWriteLock both = new ReentrantReadWriteLock();
    both.writeLock().lock();
    for (UkaOptions.Format format : UkaOptions.Format.values()) {
      ReentrantLock read = (ReentrantLock) read(write(lock, format));
      assertThat(read.isFair()).isTrue();
      assertThat(read.isLocked()).isFalse();
      ReentrantReadWriteLock readBoth = (ReentrantReadWriteLock) read(write(both, format));
      assertThat(readBoth.isWriteLocked()).isFalse();
    }
  }

  @Test
  public void aSemaphoreKeepsItsPermits() throws Throwable {
    for (UkaOptions.Format format : UkaOptions.Format.values()) {
      Semaphore read = (Semaphore) read(write(new Semaphore(7), format));
      assertThat(read.availablePermits()).isEqualTo(7);
    }
  }

  @Test
  public void queuesAreReadWithTheirElements() throws Throwable {
    for (UkaOptions.Format format : UkaOptions.Format.values()) {
      for (Queue<String> queue : queues()) {
        Queue<?> read = (Queue<?>) read(write(queue, format));
        assertThat(read.toArray()).as("%s", queue.getClass()).containsExactly("element");
      }
    }
  }
}
