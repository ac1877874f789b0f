package io.karmi.trust;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Takes all threads, memory or descriptors that a JVM can get, from {@link #begin} to {@link #end}.
 *
 * <p>It prints {@code starved} when there are no more for the first time, and {@code released} when
 * it has given them back. What others give back meanwhile it takes, too.
 */
final class Starvation {
  /** Behind an end of line: others may have begun one that they have no memory to end. */
  private static final byte[] STARVED = "\nstarved\n".getBytes(StandardCharsets.US_ASCII);

  private static final byte[] RELEASED = "\nreleased\n".getBytes(StandardCharsets.US_ASCII);

  /** More than a limit that is worth the name allows. */
  private static final int MOST_THREADS = 5_000;

  private static final int BLOCK_BYTES = 1 << 16;
  private static final int LEAST_BLOCK_BYTES = 16;
  private static final int PAUSE_MILLIS = 1;

  /** Needs no memory, unlike {@link System#out}. */
  private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);

  private volatile boolean wanted;
  private boolean told;
  private CountDownLatch ended = new CountDownLatch(0);

  /** What it takes, and then gives back. */
  private interface Taking {
    void takeAll() throws Exception;
  }

  /** Begins to take threads, memory or descriptors: {@code t}, {@code m} or {@code d}. */
  void begin(int what) {
    wanted = true;
    told = false;
    CountDownLatch end = new CountDownLatch(1);
    ended = end;
    Taking taking =
        what == 't' ? this::takeThreads : what == 'm' ? this::takeMemory : this::takeDescriptors;
    Thread taker =
        new Thread(
            () -> {
              try {
                taking.takeAll();
              } catch (Exception e) {
                throw new IllegalStateException(e);
              } finally {
                end.countDown();
              }
            },
            "starvation");
    taker.setDaemon(true);
    taker.start();
  }

  /** Gives all back; others have it when this returns. */
  void end() throws InterruptedException {
    wanted = false;
    while (!isEnded()) {
      Thread.onSpinWait();
    }
    print(RELEASED);
  }

  /** False also where there is not yet the memory to wait. */
  private boolean isEnded() throws InterruptedException {
    try {
      ended.await();
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  private void print(byte[] line) {
    try {
      out.write(line);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void tell() {
    if (!told) {
      told = true;
      print(STARVED);
    }
  }

  private void takeThreads() throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    int started = 0;
    while (wanted) {
      try {
        while (wanted && started < MOST_THREADS) {
          Thread thread = new Thread(() -> awaitQuietly(end));
          thread.setDaemon(true);
          thread.start();
          started++;
        }
      } catch (OutOfMemoryError e) {
        tell();
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    end.countDown();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void takeMemory() {
    List<byte[]> blocks = new ArrayList<>();
    int bytes = BLOCK_BYTES;
    while (wanted) {
      try {
        while (wanted) {
          blocks.add(new byte[bytes]);
        }
      } catch (OutOfMemoryError e) {
        bytes = Math.max(LEAST_BLOCK_BYTES, bytes / 2);
        if (bytes == LEAST_BLOCK_BYTES) {
          tell();
        }
      }
    }
    blocks.clear();
  }

  private void takeDescriptors() throws Exception {
    List<FileInputStream> files = new ArrayList<>();
    while (wanted) {
      try {
        while (wanted) {
          files.add(new FileInputStream("/dev/null"));
        }
      } catch (IOException e) {
        tell();
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    for (FileInputStream each : files) {
      each.close();
    }
  }
}
