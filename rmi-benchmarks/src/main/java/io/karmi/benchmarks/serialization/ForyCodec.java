package io.karmi.benchmarks.serialization;

import io.karmi.benchmarks.payloads.Customer;
import io.karmi.benchmarks.payloads.Employee;
import io.karmi.benchmarks.payloads.Externalized;
import io.karmi.benchmarks.payloads.FourInts;
import io.karmi.benchmarks.payloads.Graph;
import io.karmi.benchmarks.payloads.Hooked;
import io.karmi.benchmarks.payloads.MediaContent;
import io.karmi.benchmarks.payloads.Order;
import io.karmi.benchmarks.payloads.Pair;
import io.karmi.benchmarks.payloads.Point;
import io.karmi.benchmarks.payloads.ThirtyTwoInts;
import io.karmi.benchmarks.payloads.Tree;
import org.apache.fory.Fory;
import org.apache.fory.config.ForyBuilder;
import org.apache.fory.config.Language;
import org.apache.fory.logging.LoggerFactory;
import org.apache.fory.memory.MemoryBuffer;
import org.apache.fory.memory.MemoryUtils;

/**
 * Apache Fory: as it comes (references tracked, nothing registered), and in its fastest
 * configuration.
 */
final class ForyCodec extends Codec {
  /** Its limit against hostile messages, 50 by itself, is too low for a graph of 200 objects. */
  private static final int MAX_DEPTH = 1_000;

  private final Fory fory;
  private final MemoryBuffer output = MemoryUtils.buffer(1 << 18);

  private ForyCodec(Fory fory) {
    this.fory = fory;
  }

  private static ForyBuilder builder() {
    LoggerFactory.disableLogging();
    return Fory.builder().withLanguage(Language.JAVA).withRefTracking(true).withMaxDepth(MAX_DEPTH);
  }

  static ForyCodec asItComes() {
    return new ForyCodec(
        builder().requireClassRegistration(false).suppressClassRegistrationWarnings(true).build());
  }

  /** Every class registered, numbers at fixed width. */
  static ForyCodec atItsBest() {
    Fory fory = builder().withNumberCompressed(false).requireClassRegistration(true).build();
    Class<?>[] types = {
      Customer.class,
      Customer.Status.class,
      Employee.class,
      Externalized.class,
      FourInts.class,
      Graph.class,
      Graph.Node.class,
      Graph.Node[].class,
      Hooked.class,
      MediaContent.class,
      MediaContent.Media.class,
      MediaContent.Image.class,
      MediaContent.Player.class,
      MediaContent.Size.class,
      Order.class,
      Pair.class,
      Pair[].class,
      Point.class,
      Point[].class,
      ThirtyTwoInts.class,
      Tree.class
    };
    for (Class<?> type : types) {
      fory.register(type);
    }
    return new ForyCodec(fory);
  }

  @Override
  public int serialize(Object object) {
    output.writerIndex(0);
    fory.serialize(output, object);
    return output.writerIndex();
  }

  @Override
  public byte[] bytes() {
    return output.getHeapMemory();
  }

  @Override
  public Object deserialize(byte[] message, int length) {
    return fory.deserialize(message);
  }
}
