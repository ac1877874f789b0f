package io.karmi.clusters;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.Test;

/** A map of Hazelcast, with Java-serialized values and entry processors. */
public class HazelcastIT {
  /** At the last stage, what the agent wrote without a setting is read without the agent. */
  @Test
  public void membersMoveOneByOneAndBack() throws Exception {
    Roll.roll("hazelcast", Stage.STOCK, Stage.AGENT, Stage.UKA, Stage.AGENT, Stage.STOCK);
  }

  /** Hazelcast keeps the bytes that a member has written until the value is replaced. */
  @Test
  public void wayBackFromUkasFormatNeedsValuesThatAreWrittenAgain() throws Exception {
    assertThat(Roll.answerOfStockMemberBeside(Stage.UKA, "hazelcast"))
        .contains("invalid stream header: 554B4101");
  }
}
