package io.karmi.benchmarks.serialization;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One object to bytes and back.
 *
 * <p>{@code variety} decides what the JIT knows: {@code ONE} carries a single payload per fork,
 * {@code ALL} has carried every payload before, so that each call site has seen many classes, as in
 * a server.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@Fork(1)
@Warmup(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
public class SerializationBenchmark {
  private static final int WARM_UP_ROUNDS = 3_000;

  /** Variety of the classes that call sites have seen. */
  public enum Variety {
    ONE,
    ALL
  }

  @Param SerializationStack stack;
  @Param SerializationPayload payload;
  @Param Variety variety;

  private Codec codec;
  private Object object;
  private byte[] message;

  @Setup(Level.Trial)
  public void open() throws Exception {
    codec = stack.open();
    object = payload.create();
    if (variety == Variety.ALL) {
      carryEverything();
    }
    codec.roundTrip(object);
    int length = codec.serialize(object);
    message = Arrays.copyOf(codec.bytes(), length);
    if (!payload.isEqualTo(codec.deserialize(message, length))) {
      throw new IllegalStateException(stack + " returns a different " + payload);
    }
  }

  private void carryEverything() throws Exception {
    for (int round = 0; round < WARM_UP_ROUNDS; round++) {
      for (SerializationPayload other : SerializationPayload.values()) {
        boolean large = round >= WARM_UP_ROUNDS / 100 && other.isLarge();
        if (!large) {
          codec.roundTrip(other.create());
        }
      }
    }
  }

  @Benchmark
  public int serialize() throws Exception {
    return codec.serialize(object);
  }

  @Benchmark
  public Object deserialize() throws Exception {
    return codec.deserialize(message, message.length);
  }

  /**
   * Objects whose identity hash has not been asked for yet: RMI's normal case; subtract {@link
   * #create}.
   */
  @Benchmark
  public int serializeFresh() throws Exception {
    return codec.serialize(payload.create());
  }

  /** What {@link #serializeFresh} spends on making the object. */
  @Benchmark
  public Object create() {
    return payload.create();
  }
}
