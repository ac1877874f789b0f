package io.karmi.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.Test;

public class RingWriterTest {
  private static final int CAPACITY = 64;

  private final RingMemory memory =
      RingMemory.in(ByteBuffer.allocateDirect(64 + RingMemory.sizeBytes(CAPACITY)), 64, CAPACITY);
  private final RingWriter writer = new RingWriter(memory);
  private final RingReader reader = new RingReader(memory);

  @Test
  public void bytesComeOutAsTheyWentInAroundTheEnd() throws Exception {
    byte[] in = new byte[40];
    byte[] out = new byte[40];
    for (int round = 0; round < 20; round++) {
      for (int i = 0; i < in.length; i++) {
        in[i] = (byte) (round * in.length + i);
      }
      assertThat(writer.write(in, 0, in.length)).isEqualTo(in.length);
      assertThat(reader.read(out, 0, out.length)).isEqualTo(out.length);
      assertThat(out).isEqualTo(in);
    }
  }

  @Test
  public void fullRingTakesWhatFits() throws Exception {
    assertThat(writer.write(new byte[100], 0, 100)).isEqualTo(CAPACITY);
    assertThat(writer.hasRoom()).isFalse();
    assertThat(writer.write(new byte[1], 0, 1)).isZero();
    assertThat(reader.read(new byte[10], 0, 10)).isEqualTo(10);
    assertThat(writer.hasRoom()).isTrue();
    assertThat(writer.write(new byte[100], 0, 100)).isEqualTo(10);
  }

  @Test
  public void sleepingConsumerIsToBeWokenOnce() throws Exception {
    assertThat(writer.mustWakeConsumer()).isFalse();
    reader.fallAsleep();
    writer.write(new byte[1], 0, 1);
    assertThat(writer.mustWakeConsumer()).isTrue();
    assertThat(writer.mustWakeConsumer()).isFalse();
    reader.fallAsleep();
    reader.awake();
    assertThat(writer.mustWakeConsumer()).isFalse();
  }

  @Test
  public void sleepingProducerIsToBeWokenOnce() throws Exception {
    writer.write(new byte[CAPACITY], 0, CAPACITY);
    writer.fallAsleep();
    reader.release(1);
    assertThat(reader.mustWakeProducer()).isTrue();
    assertThat(reader.mustWakeProducer()).isFalse();
  }
}
