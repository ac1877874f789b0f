package io.karmi.clusters;

import org.junit.Test;

/** A replicated cache of Infinispan, with Java-serialized values. */
public class InfinispanIT {
  @Test
  public void membersMoveOneByOneAndBack() throws Exception {
    Roll.roll("infinispan", Stage.STOCK, Stage.AGENT, Stage.UKA, Stage.AGENT, Stage.STOCK);
  }
}
