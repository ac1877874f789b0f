package io.karmi.clusters;

import org.junit.Test;

/** Sessions of Tomcat, replicated by its {@code DeltaManager}. */
public class TomcatIT {
  @Test
  public void membersMoveOneByOneAndBack() throws Exception {
    Roll.roll("tomcat", Stage.STOCK, Stage.AGENT, Stage.UKA, Stage.AGENT, Stage.STOCK);
  }
}
