package io.karmi.flink;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Random;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.Test;

/**
 * Records and snapshots of which bytes were changed at random: reading one ends with an object or
 * an exception, and takes memory as its bytes do.
 */
public class HostileRecordsTest {
  private static final int ROUNDS = 3000;

  /** Of records of at most a few kilobytes. */
  private static final long MOST_BYTES = 32 << 20;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Random random = new Random(42);
  private int refused;

  /** Something that reads. */
  private interface Reading {
    void run() throws IOException;
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
  private void attempt(Reading reading) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try {
      reading.run();
    } catch (Exception e) {
      refused++;
    }
    long taken = THREADS.getCurrentThreadAllocatedBytes() - before;
    assertThat(taken).as("bytes that it has taken").isLessThan(MOST_BYTES);
  }

  @Test(timeout = 240_000)
  public void mutatedRecordsEndWithAnObjectOrAnException() throws Exception {
    UkaTypeSerializer<UkaTypeSerializerTest.Account> serializer =
        new UkaTypeSerializer<>(UkaTypeSerializerTest.Account.class);
    DataOutputSerializer out = new DataOutputSerializer(16);
    for (UkaTypeSerializerTest.Account each : UkaTypeSerializerTest.accounts()) {
      out.clear();
      serializer.serialize(each, out);
      byte[] good = out.getCopyOfBuffer();
      for (int i = 0; i < ROUNDS / 20; i++) {
        byte[] bad = mutated(good);
        attempt(() -> serializer.deserialize(new DataInputDeserializer(bad)));
        attempt(
            () -> serializer.copy(new DataInputDeserializer(bad), new DataOutputSerializer(16)));
      }
      assertThat(serializer.deserialize(new DataInputDeserializer(good))).isEqualTo(each);
    }
    assertThat(refused).isGreaterThan(ROUNDS / 4);
  }

  @Test(timeout = 240_000)
  public void mutatedSnapshotsEndWithASerializerOrAnException() throws Exception {
    UkaTypeSerializer<UkaTypeSerializerTest.Account> serializer =
        new UkaTypeSerializer<>(UkaTypeSerializerTest.Account.class);
    DataOutputSerializer out = new DataOutputSerializer(16);
    TypeSerializerSnapshot.writeVersionedSnapshot(out, serializer.snapshotConfiguration());
    byte[] good = out.getCopyOfBuffer();
    ClassLoader loader = getClass().getClassLoader();
    for (int i = 0; i < ROUNDS; i++) {
      byte[] bad = mutated(good);
      attempt(
          () ->
              TypeSerializerSnapshot.readVersionedSnapshot(new DataInputDeserializer(bad), loader)
                  .restoreSerializer());
    }
    assertThat(refused).isGreaterThan(ROUNDS / 4);
  }
}
