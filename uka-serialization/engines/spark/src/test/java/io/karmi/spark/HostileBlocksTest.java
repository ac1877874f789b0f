package io.karmi.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.io.StreamCorruptedException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.SerializationStream;
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

  /** A reader with the table is kept for the next block, whose type numbers are the table's. */
  @Test
  public void unitThatTakesTheTablesNumbersAwayHarmsNoOtherBlock() {
    SerializerInstance instance = Records.instance("spark.uka.relocation", "true");
    List<Object> records = List.of(new Tuple2<>(1, "one"), new Tuple2<>(2, "two"));
    byte[] good = pairs(instance, records);
    byte[] bad = pairs(instance, List.of(new Sample(1, "text", 1, "two", "three")));
    assertThat(bad[0] & 0xFF).isEqualTo(Units.ALONE);
    bad[0] = (byte) Units.TABLE;
    assertThatThrownBy(() -> Records.read(instance, bad))
        .isInstanceOf(StreamCorruptedException.class);
    assertThat(Records.read(instance, good).get(0)).isEqualTo(records.get(0));
  }

  private static byte[] pairs(SerializerInstance instance, List<?> values) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (SerializationStream out = instance.serializeStream(bytes)) {
      for (Object each : values) {
        out.writeValue(each, Records.ANY);
      }
    }
    return bytes.toByteArray();
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
