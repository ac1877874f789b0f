package io.karmi.uka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.Test;

/** A stream per message, as most programs have it, costs no more memory than the JDK's. */
public class FreshStreamsTest {
  private static final int WARM_UP = 2000;
  private static final int ROUNDS = 500;

  private interface Step {
    Object run() throws Exception;
  }

  static final class Point implements Serializable {
    private static final long serialVersionUID = 1;
    int x = 1;
    int y = 2;
    String name = "name";
    Point next;
  }

  /** Bytes of small objects that the JIT compiler makes in the one and leaves out of the other. */
  private static final int LEFT_OUT_BYTES = 256;

  private static Map<String, Object> payloads() {
    Map<String, Object> payloads = new LinkedHashMap<>();
    payloads.put("null", null);
    payloads.put("text", "text");
    payloads.put("object", new Point());
    payloads.put("byte[20000]", new byte[20_000]);
    payloads.put("int[5000]", new int[5000]);
    payloads.put("double[2500]", new double[2500]);
    return payloads;
  }

  /** Bytes allocated per step. */
  private static long allocation(Step step) throws Exception {
    for (int i = 0; i < WARM_UP; i++) {
      step.run();
    }
    long before = allocated();
    for (int i = 0; i < ROUNDS; i++) {
      step.run();
    }
    return (allocated() - before) / ROUNDS;
  }

  private static long allocated() {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  @Test
  public void writingAllocatesNoMoreThanTheJdkDoes() throws Exception {
    ByteArrayOutputStream sink = new ByteArrayOutputStream(1 << 17);
    for (Map.Entry<String, Object> payload : payloads().entrySet()) {
      long jdk =
          allocation(
              () -> {
                sink.reset();
                ObjectOutputStream out = new ObjectOutputStream(sink);
                out.writeObject(payload.getValue());
                return out;
              });
      for (UkaOptions.Format format : UkaOptions.Format.values()) {
        UkaOptions options = new UkaOptions(format);
        long ours =
            allocation(
                () -> {
                  sink.reset();
                  ObjectOutputStream out = new UkaObjectOutputStream(sink, options);
                  out.writeObject(payload.getValue());
                  return out;
                });
        assertThat(ours)
            .as("%s in %s", payload.getKey(), format)
            .isLessThanOrEqualTo(jdk + LEFT_OUT_BYTES);
      }
    }
  }

  @Test
  public void theArrayOfALaterMessageIsAsLargeAsTheOneBefore() throws Exception {
    Object[] payload = texts(25);
    for (UkaOptions.Format format : UkaOptions.Format.values()) {
      ByteArrayOutputStream sink = new ByteArrayOutputStream();
      int first = arrayBytes(payload, format, sink);
      int second = arrayBytes(payload, format, sink);
      assertThat(second).as("%s, first %s", format, first).isBetween(sink.size(), 2 * sink.size());
    }
  }

  @Test
  public void aLargerMessageIsWrittenToALentArray() throws Exception {
    Object[] payload = texts(100);
    for (UkaOptions.Format format : UkaOptions.Format.values()) {
      ByteArrayOutputStream sink = new ByteArrayOutputStream();
      arrayBytes(payload, format, sink);
      assertThat(sink.size()).isGreaterThan(512);
      assertThat(arrayBytes(payload, format, sink)).as("%s, its own", format).isLessThan(16);
    }
  }

  private static Object[] texts(int count) {
    Object[] texts = new Object[count];
    for (int i = 0; i < count; i++) {
      texts[i] = "a text " + i;
    }
    return texts;
  }

  private static int arrayBytes(Object object, UkaOptions.Format format, ByteArrayOutputStream sink)
      throws Exception {
    sink.reset();
    UkaObjectOutputStream out = new UkaObjectOutputStream(sink, new UkaOptions(format));
    out.writeObject(object);
    return out.buffer().bytes.length;
  }

  /** Memory that is written once is most of what a small message on a stream of its own costs. */
  @Test
  public void aSmallMessageAllocatesHalfOfWhatTheJdkDoes() throws Exception {
    ByteArrayOutputStream sink = new ByteArrayOutputStream(1 << 10);
    for (Object payload : new Object[] {"text", new Point()}) {
      long jdk =
          allocation(
              () -> {
                sink.reset();
                ObjectOutputStream out = new ObjectOutputStream(sink);
                out.writeObject(payload);
                return out;
              });
      long ours =
          allocation(
              () -> {
                sink.reset();
                ObjectOutputStream out = new UkaObjectOutputStream(sink);
                out.writeObject(payload);
                return out;
              });
      assertThat(2 * ours).as("twice for %s", payload).isLessThanOrEqualTo(jdk);
    }
  }

  @Test
  public void readingAllocatesNoMoreThanTheJdkDoes() throws Exception {
    for (Map.Entry<String, Object> payload : payloads().entrySet()) {
      byte[] jdkBytes = bytes(payload.getValue(), UkaOptions.Format.JDK);
      long jdk =
          allocation(() -> new ObjectInputStream(new ByteArrayInputStream(jdkBytes)).readObject());
      for (UkaOptions.Format format : UkaOptions.Format.values()) {
        byte[] bytes = bytes(payload.getValue(), format);
        long ours =
            allocation(
                () -> new UkaObjectInputStream(new ByteArrayInputStream(bytes)).readObject());
        assertThat(ours)
            .as("%s in %s", payload.getKey(), format)
            .isLessThanOrEqualTo(jdk + LEFT_OUT_BYTES);
      }
    }
  }

  private static byte[] bytes(Object object, UkaOptions.Format format) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new UkaObjectOutputStream(bytes, new UkaOptions(format))) {
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }
}
