package io.karmi.clusters;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.Test;

/** A map of Hazelcast, with Java-serialized values and entry processors. */
public class HazelcastIT {
  /**
   * At the last stage, what the agent wrote without a setting is read without the agent. Not so
   * what was written in UKA's format: Hazelcast keeps the bytes that a member has written until the
   * value is replaced.
   */
  @Test
  public void membersMoveOneByOneAndBackAndValuesInUkasFormatAreWrittenAgainFirst()
      throws Exception {
    try (Roll roll = Roll.begin("hazelcast", Stage.STOCK)) {
      roll.take(Stage.AGENT, Stage.UKA);
      assertThat(roll.answerOfStockMember()).contains("invalid stream header: 554B4101");
      roll.take(Stage.AGENT, Stage.STOCK);
    }
  }
}
