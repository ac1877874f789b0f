package io.karmi.ring.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.karmi.ring.OutgoingRing;
import io.karmi.ring.RingCorruptedException;
import io.karmi.ring.RingMemory;
import io.karmi.ring.RingPagePool;
import io.karmi.ring.RingReader;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * Two producers reserve, store and commit at once, one of them twice: in whatever order they end,
 * everything is committed, each frame has room of its own, and is what its producer has stored.
 */
@JCStressTest
@Outcome(id = "48, 1, 1, 1", expect = ACCEPTABLE, desc = "all are there, once each")
@Outcome(expect = FORBIDDEN, desc = "something is lost, doubled or torn")
@State
public class CommitsMeet {
  private static final int FRAME = 16;

  private final RingMemory memory = RingMemory.paged(64, new RingPagePool());
  private final OutgoingRing ring = new OutgoingRing(memory);

  private void produce(byte mark) {
    byte[] frame = new byte[FRAME];
    java.util.Arrays.fill(frame, mark);
    try {
      long start = ring.tryReserve(FRAME, Long.MAX_VALUE);
      ring.put(start, frame, 0, FRAME);
      ring.commit(start, FRAME);
    } catch (RingCorruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Actor
  public void first() {
    produce((byte) 1);
  }

  @Actor
  public void second() {
    produce((byte) 2);
    produce((byte) 3);
  }

  @Arbiter
  public void count(IIII_Result result) {
    byte[] bytes = new byte[64];
    try {
      result.r1 = new RingReader(memory).read(bytes, 0, bytes.length);
    } catch (RingCorruptedException e) {
      result.r1 = -1;
    }
    int[] whole = new int[4];
    for (int at = 0; at + FRAME <= result.r1; at += FRAME) {
      whole[isOfOne(bytes, at) ? bytes[at] : 0]++;
    }
    result.r2 = whole[1];
    result.r3 = whole[2];
    result.r4 = whole[3];
  }

  private static boolean isOfOne(byte[] bytes, int start) {
    for (int i = start; i < start + FRAME; i++) {
      if (bytes[i] != bytes[start]) {
        return false;
      }
    }
    return true;
  }
}
