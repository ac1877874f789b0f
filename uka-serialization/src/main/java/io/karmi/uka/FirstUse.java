package io.karmi.uka;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Initialization of the library's classes with enough stack.
 *
 * <p>A class whose static initializer meets a {@link StackOverflowError} cannot be used for the
 * rest of the JVM's life. So the first uses check the stack; where it is nearly used up, a thread
 * of its own uses the library first. The program may meet the error, as with the JDK's streams, but
 * no later use will. This class has no static initializer.
 */
final class FirstUse {
  /** Uses that check the stack. */
  private static final int USES = 64;

  /** Depth of a recursion that takes as much stack as a first use, with 48 bytes or more a call. */
  private static final int FRAMES = 2000;

  private static final long STACK_BYTES = 1 << 20;

  /** Upper bound of the wait, as the other thread might need a lock of this one. */
  private static final long MAXIMUM_MILLIS = 10_000;

  /** Not synchronized. */
  private static int uses;

  private FirstUse() {}

  /**
   * The options of a stream that is opened without any.
   *
   * @param otherwise the format if the system properties name none
   */
  static UkaOptions options(UkaOptions.Format otherwise) {
    prepare();
    return UkaOptions.fromSystemProperties(otherwise);
  }

  /** Checks the stack, as a stream is opened, or an object is about to be written or read. */
  static void prepare() {
    if (uses < USES) {
      look();
    }
  }

  private static void look() {
    uses++;
    try {
      descend(FRAMES);
    } catch (StackOverflowError e) {
      useElsewhere();
    }
  }

  private static int descend(int frames) {
    return frames == 0 ? 0 : descend(frames - 1) + 1;
  }

  private static void useElsewhere() {
    uses = USES; // also for the thread that is to come
    boolean done = false;
    try {
      Thread thread = new Thread(null, new Sample(), "uka first use", STACK_BYTES, false);
      thread.setDaemon(true);
      thread.start();
      thread.join(MAXIMUM_MILLIS);
      done = true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (!done) {
        uses = 0;
      }
    }
  }

  /** Writes and reads one object of each kind. */
  private static final class Sample implements Runnable {
    @Override
    public void run() {
      for (UkaOptions.Format format : UkaOptions.Format.values()) {
        try {
          use(new UkaOptions(format));
        } catch (IOException | ClassNotFoundException | RuntimeException | LinkageError e) {
          /* The program will meet it, too. */
          continue;
        }
      }
    }

    private static void use(UkaOptions options) throws IOException, ClassNotFoundException {
      for (Object each : objects()) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (UkaObjectOutputStream out = new UkaObjectOutputStream(bytes, options)) {
          out.writeInt(1);
          out.writeObject(each);
        }
        try (UkaObjectInputStream in =
            new UkaObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
          in.readInt();
          in.readObject();
        }
      }
    }

    private static Object[] objects() {
      Object[] deep = {};
      for (int i = 0; i < 200; i++) {
        deep = new Object[] {deep, i};
      }
      return new Object[] {
        "text",
        new Object[] {1, 2L, 3.0, 4f, (short) 5, (byte) 6, 'c', true},
        new int[] {1, 2, 3},
        new ArrayList<>(Arrays.asList(1, 2, 3, 4, 5, 6, 7, 8)),
        new LinkedList<>(List.of("a")),
        new ArrayDeque<>(List.of("a")),
        new HashMap<>(Map.of("key", 1)),
        new LinkedHashMap<>(Map.of("key", 1)),
        new TreeMap<>(Map.of("key", 1)),
        new ConcurrentHashMap<>(Map.of("key", 1)),
        List.of(1, 2, 3),
        Set.of("a", "b"),
        new BitSet(),
        new AtomicInteger(),
        new Date(0),
        new BigDecimal("1.5"),
        LocalDateTime.MIN,
        TimeUnit.SECONDS,
        TimeZone.getTimeZone("UTC"),
        String.class,
        new IllegalStateException("sample"),
        deep
      };
    }
  }
}
