package io.karmi.uka.hostile;

import com.sun.management.ThreadMXBean;
import io.karmi.uka.UkaObjectInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.Status;
import java.io.ObjectInputStream;
import java.lang.management.ManagementFactory;

/**
 * Reads arbitrary bytes as a stream, in either format, and fails if the outcome is none that a
 * stream may have.
 *
 * <p>Each input is read twice. First without the classes of {@code java.util}, whose own hooks
 * allocate what the stream announces: then memory must stay in proportion. Then with them, and with
 * the limit on arrays that a careful program sets.
 */
public final class FuzzTarget {

  /** For generated code, buffers and what a fuzzer adds, whatever the input. */
  private static final long FIXED_BYTES = 16 << 20;

  private static final long BYTES_PER_INPUT_BYTE = 2_000;
  private static final int OBJECTS = 20;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  static {
    warmUp();
  }

  private FuzzTarget() {}

  /** Loads what reading loads, so that it does not count as some input's memory. */
  private static void warmUp() {
    try {
      for (byte[] seed : Seeds.all()) {
        read(seed, info -> Status.UNDECIDED);
      }
    } catch (IOException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Jazzer's entry. */
  public static void fuzzerTestOneInput(byte[] data) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    read(data, FuzzTarget::withoutUtilities);
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    if (allocated > FIXED_BYTES + BYTES_PER_INPUT_BYTE * data.length) {
      throw new AssertionError(allocated + " bytes allocated for " + data.length + " received");
    }
    read(data, info -> info.arrayLength() > 10_000 ? Status.REJECTED : Status.UNDECIDED);
  }

  private static Status withoutUtilities(ObjectInputFilter.FilterInfo info) {
    Class<?> type = info.serialClass();
    return type != null && type.getName().startsWith("java.util.")
        ? Status.REJECTED
        : Status.UNDECIDED;
  }

  private static void read(byte[] data, ObjectInputFilter filter) {
    try (ObjectInputStream in = new UkaObjectInputStream(new ByteArrayInputStream(data))) {
      in.setObjectInputFilter(filter);
      for (int i = 0; i < OBJECTS; i++) {
        if (data.length % 3 == 0) {
          in.skipBytes(in.available());
        } else if (data.length % 3 == 1 && in.available() > 3) {
          in.readUTF();
        }
        in.readObject();
      }
    } catch (IOException | ClassNotFoundException | RuntimeException e) {
      return;
    }
  }
}
