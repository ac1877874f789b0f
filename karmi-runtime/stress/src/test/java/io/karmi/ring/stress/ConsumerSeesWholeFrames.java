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
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A consumer looks while a frame is committed behind a hole, and then the hole: it sees nothing
 * before the hole is filled, then that or both, and of each frame all bytes.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "nothing is committed yet")
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the hole, not yet what is noted behind it")
@Outcome(id = "2, 0", expect = ACCEPTABLE, desc = "both, whole")
@Outcome(expect = FORBIDDEN, desc = "bytes that were not stored yet")
@State
public class ConsumerSeesWholeFrames {
  private static final int FRAME = 24;

  private final RingMemory memory = RingMemory.paged(64, new RingPagePool());
  private final OutgoingRing ring = new OutgoingRing(memory);
  private final RingReader reader = new RingReader(memory);

  @Actor
  public void producer() {
    byte[] frame = new byte[FRAME];
    java.util.Arrays.fill(frame, (byte) 7);
    try {
      long hole = ring.tryReserve(FRAME, Long.MAX_VALUE);
      long behind = ring.tryReserve(FRAME, Long.MAX_VALUE);
      ring.put(behind, frame, 0, FRAME);
      ring.commit(behind, FRAME);
      ring.put(hole, frame, 0, FRAME);
      ring.commit(hole, FRAME);
    } catch (RingCorruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Actor
  public void consumer(II_Result result) {
    byte[] bytes = new byte[64];
    try {
      int count = reader.read(bytes, 0, bytes.length);
      result.r1 = count / FRAME;
      for (int i = 0; i < count; i++) {
        result.r2 += bytes[i] == 7 ? 0 : 1;
      }
      result.r2 += count % FRAME;
    } catch (RingCorruptedException e) {
      result.r2 = -1;
    }
  }
}
