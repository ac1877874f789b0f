package io.karmi.clusters;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.Test;

/** Object messages through a broker of ActiveMQ between clients of all stages. */
public class ActiveMqIT {
  private static void pass(MemberJvm from, MemberJvm to) throws Exception {
    String queue = from.ask("put");
    from.ask("process " + queue);
    assertThat(to.ask("get " + queue))
        .as("from %s to %s", from, to)
        .isEqualTo("value2 after value1");
  }

  @Test
  public void messagesPassBetweenAllStagesThatMayMeet() throws Exception {
    try (MemberJvm broker = MemberJvm.start(Stage.STOCK.options, "activemq", 0, 0)) {
      int port = Integer.parseInt(broker.line("port "));
      try (MemberJvm agent = MemberJvm.start(Stage.AGENT.options, "activemq", port, 0);
          MemberJvm uka = MemberJvm.start(Stage.UKA.options, "activemq", port, 0)) {
        assertThat(broker.ask("format")).isEqualTo("jdk");
        assertThat(agent.ask("format")).isEqualTo("jdk");
        assertThat(uka.ask("format")).isEqualTo("uka");
        pass(broker, agent);
        pass(agent, broker);
        pass(broker, uka);
        pass(agent, uka);
        pass(uka, agent);
        uka.ask("put");
        assertThat(broker.ask("get values"))
            .as("why all members have the agent before one writes UKA's format")
            .contains("invalid stream header: 554B4101");
      }
    }
  }
}
