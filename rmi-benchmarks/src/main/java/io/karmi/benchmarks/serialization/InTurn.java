package io.karmi.benchmarks.serialization;

import io.karmi.benchmarks.results.Statistics;
import io.karmi.uka.RewiredObjectInputStream;
import io.karmi.uka.RewiredObjectOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;

/**
 * Streams of one message in the JDK's format, those of rewired programs and {@code java.io}'s, in
 * turn in one JVM: what disturbs the machine disturbs both.
 *
 * <p>Each object is written once, and made before the clock starts. A slice's time is processor
 * time of the thread.
 */
public final class InTurn {
  /** Processor time of each side before slices count. */
  private static final long WARM_UP_NANOS = 800_000_000L;

  /** Time of {@code java.io} for the objects that are made at once, about. */
  private static final long BATCH_NANOS = 1_000_000;

  private static final int MAXIMUM_OBJECTS = 256;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private InTurn() {}

  /** A direction, of one side. */
  private interface Work {
    /** Processor time for the next objects, in nanoseconds. */
    long run() throws Exception;
  }

  /**
   * Prints a line for each payload: its name, how many times as fast as {@code java.io} it is
   * written and read, and the times of {@code java.io} and of UKA in nanoseconds.
   *
   * @param arguments number of slices, milliseconds of each, and names of payloads
   */
  public static void main(String[] arguments) throws Exception {
    int slices = Integer.parseInt(arguments[0]);
    long nanos = Long.parseLong(arguments[1]) * 1_000_000;
    Pair[] pairs = new Pair[2 * (arguments.length - 2)];
    for (int i = 2; i < arguments.length; i++) {
      SerializationPayload payload = SerializationPayload.valueOf(arguments[i]);
      pairs[2 * i - 4] = new Pair(payload, true);
      pairs[2 * i - 3] = new Pair(payload, false);
    }
    for (Pair pair : pairs) {
      pair.measure(1, WARM_UP_NANOS);
    }
    for (int i = 0; i < pairs.length; i += 2) {
      double[] written = pairs[i].measure(slices, nanos);
      double[] read = pairs[i + 1].measure(slices, nanos);
      System.out.printf(
          Locale.ROOT,
          "%s %.3f %.3f %.0f %.0f %.0f %.0f%n",
          arguments[2 + i / 2],
          written[0],
          read[0],
          written[1],
          written[2],
          read[1],
          read[2]);
    }
  }

  /** Both sides of one payload in one direction. */
  private static final class Pair {
    private final Object[] objects;
    private final SerializationPayload payload;
    private final Work jdk;
    private final Work uka;

    Pair(SerializationPayload payload, boolean writing) throws Exception {
      this.payload = payload;
      Codec first = new StreamCodec();
      Codec second = new Rewired();
      int length = first.serialize(payload.create());
      byte[] message = Arrays.copyOf(first.bytes(), length);
      if (second.serialize(payload.create()) != length
          || !Arrays.equals(message, Arrays.copyOf(second.bytes(), length))
          || !payload.isEqualTo(second.deserialize(message, length))) {
        throw new IllegalStateException(payload + " has other bytes, or is read as another object");
      }
      objects = new Object[objects(payload)];
      jdk = writing ? () -> write(first) : () -> read(first, message);
      uka = writing ? () -> write(second) : () -> read(second, message);
    }

    private static int objects(SerializationPayload payload) throws Exception {
      Codec codec = new StreamCodec();
      Object object = payload.create();
      long start = System.nanoTime();
      int count = 0;
      while (System.nanoTime() - start < 100 * BATCH_NANOS) {
        codec.serialize(object);
        count++;
      }
      return Math.max(1, Math.min(count / 100, MAXIMUM_OBJECTS));
    }

    /** The median of the ratios, and the medians of the times of both sides. */
    double[] measure(int slices, long nanos) throws Exception {
      double[] ratios = new double[slices];
      double[] ofJdk = new double[slices];
      double[] ofUka = new double[slices];
      for (int i = 0; i < slices; i++) {
        long left = nanos;
        long right = nanos;
        long turns = 0;
        while (left > 0 || right > 0) {
          left -= jdk.run();
          right -= uka.run();
          turns += objects.length;
        }
        ofJdk[i] = (double) (nanos - left) / turns;
        ofUka[i] = (double) (nanos - right) / turns;
        ratios[i] = ofJdk[i] / ofUka[i];
      }
      return new double[] {
        Statistics.median(ratios), Statistics.median(ofJdk), Statistics.median(ofUka)
      };
    }

    private long write(Codec codec) throws Exception {
      for (int i = 0; i < objects.length; i++) {
        objects[i] = payload.create();
      }
      long start = THREADS.getCurrentThreadCpuTime();
      for (Object object : objects) {
        codec.serialize(object);
      }
      return THREADS.getCurrentThreadCpuTime() - start;
    }

    private long read(Codec codec, byte[] message) throws Exception {
      long start = THREADS.getCurrentThreadCpuTime();
      for (int i = 0; i < objects.length; i++) {
        objects[i] = codec.deserialize(message, message.length);
      }
      return THREADS.getCurrentThreadCpuTime() - start;
    }
  }

  /**
   * What stands in the place of {@link StreamCodec}'s streams in a rewired program: code of its
   * own, as the JIT would otherwise see both sides at one call site.
   */
  private static final class Rewired extends Codec {
    private final StreamCodec.ReusableOutput output = new StreamCodec.ReusableOutput();

    @Override
    public int serialize(Object object) throws IOException {
      output.reset();
      RewiredObjectOutputStream stream = new RewiredObjectOutputStream(output);
      stream.writeObject(object);
      stream.flush();
      return output.size();
    }

    @Override
    public byte[] bytes() {
      return output.array();
    }

    @Override
    public Object deserialize(byte[] message, int length)
        throws IOException, ClassNotFoundException {
      return new RewiredObjectInputStream(new ByteArrayInputStream(message, 0, length))
          .readObject();
    }
  }
}
