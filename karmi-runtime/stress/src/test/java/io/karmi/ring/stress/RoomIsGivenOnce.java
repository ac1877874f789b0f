package io.karmi.ring.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.karmi.ring.OutgoingRing;
import io.karmi.ring.RingCorruptedException;
import io.karmi.ring.RingMemory;
import io.karmi.ring.RingPagePool;
import io.karmi.ring.RingReader;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * Two producers want room in a ring that is full, and one of them gives some back before, as the
 * consumer: there is one reservation, and it is behind what is there. The ring has been around
 * once, so that notes of the first round are in it.
 */
@JCStressTest
@Outcome(id = "128, -1", expect = ACCEPTABLE, desc = "the first one has it")
@Outcome(id = "-1, 128", expect = ACCEPTABLE, desc = "the second one has it")
@Outcome(expect = FORBIDDEN, desc = "room that was in use, or given twice")
@State
public class RoomIsGivenOnce {
  private static final int HALF = 32;

  private final RingMemory memory = RingMemory.paged(64, new RingPagePool());
  private final OutgoingRing ring = new OutgoingRing(memory);
  private final RingReader reader = new RingReader(memory);
  private final byte[] bytes = new byte[64];

  /** Fills it twice. */
  public RoomIsGivenOnce() {
    try {
      for (int i = 0; i < 4; i++) {
        if (i == 2) {
          reader.read(bytes, 0, 64);
        }
        long start = ring.tryReserve(HALF, Long.MAX_VALUE);
        ring.put(start, bytes, 0, HALF);
        ring.commit(start, HALF);
      }
    } catch (RingCorruptedException e) {
      throw new AssertionError(e);
    }
  }

  private long produce() {
    try {
      long start = ring.tryReserve(HALF, Long.MAX_VALUE);
      if (start >= 0) {
        ring.commit(start, HALF);
      }
      return start;
    } catch (RingCorruptedException e) {
      return -2;
    }
  }

  @Actor
  public void first(JJ_Result result) {
    result.r1 = produce();
  }

  @Actor
  public void consumerAndSecond(JJ_Result result) {
    try {
      reader.read(new byte[HALF], 0, HALF);
    } catch (RingCorruptedException e) {
      throw new AssertionError(e);
    }
    result.r2 = produce();
  }
}
