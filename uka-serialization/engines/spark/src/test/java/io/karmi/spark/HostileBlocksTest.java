package io.karmi.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.SerializerInstance;
import org.junit.Test;
import scala.Tuple2;

/**
 * Blocks of which bytes were changed at random, and such as are random from the beginning: reading
 * one ends with objects or an exception, and takes memory as its bytes do.
 */
public class HostileBlocksTest {
  private static final int BLOCKS = 2000;

  /** Of blocks of at most a few kilobytes. */
  private static final long MOST_BYTES = 32 << 20;

  private static final String[][] SETTINGS = {
    {}, {"spark.uka.relocation", "true"}, {"spark.uka.types", "slim"}
  };

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Random random = new Random(42);
  private int read;
  private int refused;

  private static List<Object> records() {
    List<Object> records = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      records.add(new Tuple2<>(i, "record " + i));
      records.add(new TreeMap<>(Map.of("number", i, "list", List.of(i, "same"))));
      records.add(new Sample(i, "text", 1, "two", records.get(0)));
      records.add(new long[] {i, 1L << i});
    }
    return records;
  }

  private byte[] mutated(byte[] good) {
    byte[] bad = good.clone();
    for (int i = random.nextInt(6); i >= 0; i--) {
      bad[random.nextInt(bad.length)] =
          (byte) (random.nextBoolean() ? random.nextInt() : random.nextInt(3) - 1);
    }
    return random.nextInt(8) == 0 ? Arrays.copyOf(bad, random.nextInt(bad.length)) : bad;
  }

  /** What is no exception, such as an error, is the test's failure. */
  private void attempt(Runnable reading) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try {
      reading.run();
      read++;
    } catch (Exception e) {
      refused++;
    }
    long taken = THREADS.getCurrentThreadAllocatedBytes() - before;
    assertThat(taken).as("bytes that block %s has taken", read + refused).isLessThan(MOST_BYTES);
  }

  @Test(timeout = 240_000)
  public void mutatedBlocksEndWithObjectsOrAnException() {
    for (String[] settings : SETTINGS) {
      SerializerInstance instance = Records.instance(settings);
      byte[] good = Records.written(instance, records());
      for (int i = 0; i < BLOCKS / SETTINGS.length; i++) {
        byte[] bad = mutated(good);
        attempt(() -> Records.read(instance, bad));
      }
      assertThat(Records.read(instance, good)).hasSameSizeAs(records());
    }
    assertThat(refused).isGreaterThan(BLOCKS / 4);
  }

  @Test(timeout = 240_000)
  public void mutatedObjectsEndWithAnObjectOrAnException() {
    SerializerInstance instance = Records.instance();
    ByteBuffer good = instance.serialize(records(), Records.ANY);
    byte[] bytes = new byte[good.remaining()];
    good.get(bytes);
    for (int i = 0; i < BLOCKS; i++) {
      byte[] bad = mutated(bytes);
      attempt(() -> instance.deserialize(ByteBuffer.wrap(bad), Records.ANY));
    }
    assertThat(refused).isGreaterThan(BLOCKS / 4);
  }

  @Test(timeout = 240_000)
  public void mutatedBlocksOfJavaSerializerEndWithObjectsOrAnException() {
    SerializerInstance instance = Records.instance();
    SerializerInstance java =
        new JavaSerializer(new org.apache.spark.SparkConf(false)).newInstance();
    byte[] good = Records.written(java, records());
    for (int i = 0; i < BLOCKS; i++) {
      byte[] bad = mutated(good);
      attempt(() -> Records.read(instance, bad));
    }
    assertThat(refused).isGreaterThan(BLOCKS / 4);
  }

  @Test(timeout = 240_000)
  public void randomBytesEndWithAnException() {
    SerializerInstance instance = Records.instance();
    for (int i = 0; i < BLOCKS; i++) {
      byte[] bytes = new byte[1 + random.nextInt(2000)];
      random.nextBytes(bytes);
      attempt(() -> Records.read(instance, bytes));
    }
    assertThat(refused).isGreaterThan(BLOCKS / 2);
  }
}
