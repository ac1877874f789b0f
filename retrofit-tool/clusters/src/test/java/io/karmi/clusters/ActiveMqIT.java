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
      try (MemberJvm reading = MemberJvm.start(Stage.READING.options, "activemq", port, 0);
          MemberJvm moved = MemberJvm.start(Stage.MOVED.options, "activemq", port, 0)) {
        assertThat(broker.ask("format")).isEqualTo("jdk");
        assertThat(reading.ask("format")).isEqualTo("jdk");
        assertThat(moved.ask("format")).isEqualTo("uka");
        pass(broker, reading);
        pass(reading, broker);
        pass(broker, moved);
        pass(reading, moved);
        pass(moved, reading);
        moved.ask("put");
        assertThat(broker.ask("get values"))
            .as("why all members take step 1 before one takes step 2")
            .contains("invalid stream header: 554B4101");
      }
    }
  }
}
