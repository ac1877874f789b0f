package io.karmi.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

public class OutgoingRingTest {
  private static final int CAPACITY = 1024;

  private final RingMemory memory = RingMemory.paged(CAPACITY, new RingPagePool());
  private final OutgoingRing ring = new OutgoingRing(memory);
  private final RingReader reader = new RingReader(memory);

  @Test
  public void whatIsCommittedFirstWaitsForWhatWasReservedFirst() throws Exception {
    long first = reserve(16);
    long second = reserve(24);
    long third = reserve(8);
    ring.commit(third, 8);
    ring.commit(second, 24);
    assertThat(reader.available()).isZero();
    ring.commit(first, 16);
    assertThat(reader.available()).isEqualTo(48);
  }

  @Test
  public void notesOfEarlierRoundsAreNotMistakenForNewOnes() throws Exception {
    for (int round = 0; round < 1000; round++) {
      long first = reserve(8);
      long second = reserve(16 + round % 7 * 8);
      ring.commit(second, 16 + round % 7 * 8);
      assertThat(reader.available()).as("round %d", round).isZero();
      ring.commit(first, 8);
      int available = reader.available();
      assertThat(available).isEqualTo(24 + round % 7 * 8);
      reader.release(available);
    }
  }

  @Test
  public void fullRingReservesNothingUntilBytesAreReleased() throws Exception {
    long all = reserve(CAPACITY);
    assertThat(ring.tryReserve(8, Long.MAX_VALUE)).isEqualTo(-1);
    ring.commit(all, CAPACITY);
    assertThat(ring.tryReserve(8, Long.MAX_VALUE)).isEqualTo(-1);
    assertThat(reader.available()).isEqualTo(CAPACITY);
    reader.release(CAPACITY / 8 - 8);
    assertThat(ring.tryReserve(8, Long.MAX_VALUE)).as("within a page").isEqualTo(-1);
    reader.release(8);
    assertThat(ring.tryReserve(8, Long.MAX_VALUE)).isEqualTo(CAPACITY);
  }

  @Test
  public void memoryIsHeldOnlyWhereBytesLie() throws Exception {
    assertThat(ring.heldBytes()).isZero();
    byte[] bytes = new byte[CAPACITY / 2];
    for (int round = 0; round < 10; round++) {
      long start = reserve(bytes.length);
      ring.put(start, bytes, 0, bytes.length);
      ring.commit(start, bytes.length);
      assertThat(ring.heldBytes()).isEqualTo(bytes.length);
      assertThat(reader.read(bytes, 0, bytes.length)).isEqualTo(bytes.length);
      assertThat(ring.heldBytes()).isZero();
    }
  }

  @Test
  public void emptyRingGivesItsLastPageBackAndGoesOn() throws Exception {
    byte[] bytes = {1, 2, 3, 4, 5, 6, 7, 8};
    for (int round = 0; round < 1000; round++) {
      long start = reserve(8);
      ring.put(start, bytes, 0, 8);
      assertThat(ring.rest()).as("not while bytes are there").isFalse();
      ring.commit(start, 8);
      byte[] read = new byte[8];
      assertThat(reader.read(read, 0, 8)).isEqualTo(8);
      assertThat(read).isEqualTo(bytes);
      assertThat(ring.rest()).isTrue();
      assertThat(ring.heldBytes()).isZero();
    }
  }

  @Test
  public void consumerThatHasItsOwnBytesElsewherePassesThemAndWhatIsDoneBehind() throws Exception {
    for (int round = 0; round < 1000; round++) {
      long own = reserve(40);
      long other = reserve(16);
      ring.put(other, new byte[] {9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9}, 0, 16);
      ring.commit(other, 16);
      assertThat(reader.available()).isZero();
      ring.commitUnstored(own, 40);
      assertThat(reader.available()).isEqualTo(56);
      reader.release(40);
      byte[] read = new byte[56];
      assertThat(reader.read(read, 0, 56)).isEqualTo(16);
      assertThat(read[15]).isEqualTo((byte) 9);
    }
  }

  @Test
  public void committedBytesAreShownPageByPage() throws Exception {
    int page = CAPACITY / 8;
    byte[] bytes = new byte[page];
    java.util.Arrays.fill(bytes, page / 2, page, (byte) 7);
    reader.release(reader.read(new byte[page], 0, page));
    long first = reserve(page / 2);
    ring.commit(first, page / 2);
    reader.release(reader.available());
    long start = reserve(page);
    ring.put(start, bytes, 0, page);
    ring.commit(start, page);
    assertThat(reader.peek(1000)).isEqualTo(page / 2);
    assertThat(reader.bytes()[reader.offset()]).isZero();
    reader.release(page / 2);
    assertThat(reader.peek(8)).isEqualTo(8);
    assertThat(reader.bytes()[reader.offset()]).isEqualTo((byte) 7);
    assertThat(reader.peek(1000)).isEqualTo(page / 2);
  }

  @Test
  public void noReservationEndsBehindTheLimit() throws Exception {
    assertThat(ring.tryReserve(72, 64)).isEqualTo(-1);
    assertThat(ring.tryReserve(64, 64)).isZero();
    assertThat(ring.tryReserve(8, 64)).isEqualTo(-1);
  }

  @Test
  public void lengthThatIsNoMultipleOrTooLargeIsRefused() {
    for (int wrong : new int[] {0, 7, -8, CAPACITY + 8}) {
      assertThatThrownBy(() -> ring.tryReserve(wrong, Long.MAX_VALUE))
          .as("%d bytes", wrong)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(String.valueOf(wrong));
    }
  }

  @Test
  public void positionsThatCannotBeAreAnException() throws Exception {
    memory.setConsumed(64);
    assertThatThrownBy(() -> ring.tryReserve(8, Long.MAX_VALUE))
        .isInstanceOf(RingCorruptedException.class)
        .hasMessageContaining("64");
    memory.setCommitted(CAPACITY + 1);
    assertThatThrownBy(reader::available).isInstanceOf(RingCorruptedException.class);
    memory.setCommitted(-1);
    assertThatThrownBy(reader::available).isInstanceOf(RingCorruptedException.class);
    RingWriter writer = new RingWriter(memory);
    assertThatThrownBy(() -> writer.write(new byte[2 * CAPACITY], 0, 2 * CAPACITY))
        .isInstanceOf(RingCorruptedException.class);
  }

  @Test
  public void bytesOfManyProducersArriveWholeAndEachProducersInOrder() throws Exception {
    int producers = 4;
    int messages = 50_000;
    ExecutorService threads = Executors.newFixedThreadPool(producers);
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (int producer = 0; producer < producers; producer++) {
        int number = producer;
        ends.add(threads.submit(() -> produce(number, messages)));
      }
      int[] next = new int[producers];
      byte[] message = new byte[CAPACITY];
      for (int left = producers * messages; left > 0; left--) {
        read(message, 8);
        ByteBuffer header = ByteBuffer.wrap(message);
        int length = header.getInt();
        int producer = length >>> 24;
        length &= 0xFFFFFF;
        assertThat(header.getInt()).isEqualTo(next[producer]++);
        read(message, length - 8);
        for (int i = 0; i < length - 8; i++) {
          assertThat(message[i]).isEqualTo((byte) (producer + next[producer] - 1));
        }
      }
      for (Future<?> end : ends) {
        end.get(60, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private Void produce(int producer, int messages) throws Exception {
    Random random = new Random(producer);
    byte[] message = new byte[128];
    for (int i = 0; i < messages; i++) {
      int length = 8 + 8 * random.nextInt(8);
      java.util.Arrays.fill(message, 8, length, (byte) (producer + i));
      ByteBuffer.wrap(message).putInt(producer << 24 | length).putInt(i);
      long start = ring.tryReserve(length, Long.MAX_VALUE);
      while (start < 0) {
        Thread.onSpinWait();
        Thread.yield();
        start = ring.tryReserve(length, Long.MAX_VALUE);
      }
      ring.put(start, message, 0, length);
      ring.commit(start, length);
    }
    return null;
  }

  private void read(byte[] to, int length) throws Exception {
    for (int done = 0; done < length; ) {
      int count = reader.read(to, done, length - done);
      if (count == 0) {
        Thread.yield();
      }
      done += count;
    }
  }

  private long reserve(int length) throws Exception {
    long start = ring.tryReserve(length, Long.MAX_VALUE);
    assertThat(start).isNotNegative();
    return start;
  }
}
