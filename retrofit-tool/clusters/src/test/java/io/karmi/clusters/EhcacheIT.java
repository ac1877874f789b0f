package io.karmi.clusters;

import org.junit.Test;

/** A cache of Ehcache 2, replicated by RMI: members with and without KaRMI call each other. */
public class EhcacheIT {
  @Test
  public void membersMoveOneByOneAndBack() throws Exception {
    Roll.roll("ehcache", Stage.STOCK, Stage.AGENT, Stage.UKA, Stage.STOCK);
  }
}
