package io.karmi.clusters;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.Test;

/** A map of Hazelcast, with Java-serialized values and entry processors. */
public class HazelcastIT {
  @Test
  public void membersMoveOneByOneAndBack() throws Exception {
    Roll.roll("hazelcast", Stage.STOCK, Stage.READING, Stage.MOVED, Stage.READING, Stage.STOCK);
  }

  /** Hazelcast keeps the bytes that a member has written until the value is replaced. */
  @Test
  public void wayBackNeedsValuesThatAreWrittenAgain() throws Exception {
    assertThat(Roll.answerOfStockMemberBesideMoved("hazelcast"))
        .contains("invalid stream header: 554B4101");
  }
}
