package io.karmi.clusters;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.FreePort;
import java.io.IOException;

/**
 * A cluster of two members whose members are replaced one at a time, as docs/migrating.md says. A
 * member leaves by being killed: what it had must have been kept by the other one, and must reach
 * the member that comes in its place.
 */
final class Roll implements AutoCloseable {
  private final String kind;

  /** Members name each other's ports before they listen, and listen there again after a restart. */
  private final int[] ports = {FreePort.any(), FreePort.any()};

  private final MemberJvm[] members = new MemberJvm[2];
  private String key = "";
  private int number;

  private Roll(String kind) throws IOException {
    this.kind = kind;
  }

  /** Two members of the first stage, with a value in them, take all stages one after the other. */
  static void roll(String kind, Stage first, Stage... next) throws Exception {
    try (Roll roll = begin(kind, first)) {
      roll.take(next);
    }
  }

  /** Two members of a stage, with a value in them. */
  static Roll begin(String kind, Stage first) throws Exception {
    Roll roll = new Roll(kind);
    try {
      roll.start(first);
      return roll;
    } catch (Exception | Error e) {
      roll.close();
      throw e;
    }
  }

  /** Replaces both members by those of each stage, one after the other. */
  void take(Stage... stages) throws Exception {
    for (Stage stage : stages) {
      replace(0, stage);
      replace(1, stage);
    }
  }

  /** What a member without KaRMI answers in the place of the first one, to be replaced in turn. */
  String answerOfStockMember() throws Exception {
    restart(0, Stage.STOCK);
    return members[0].ask("get " + key);
  }

  private void start(Stage stage) throws Exception {
    members[0] = MemberJvm.start(stage.options, kind, ports[0], ports[1]);
    members[1] = MemberJvm.start(stage.options, kind, ports[1], ports[0]);
    expect(0, "whole", "true");
    expect(1, "whole", "true");
    key = members[0].ask("put");
    number = 1;
    expectValue("value1");
  }

  private void replace(int member, Stage stage) throws Exception {
    String before = shown();
    restart(member, stage);
    expectValue(before);
    /* Each member writes what the other has, or has to keep. */
    for (MemberJvm each : members) {
      assertThat(each.ask("process " + key)).as("%s", each).isEqualTo("done");
      number++;
      expectValue(shown());
    }
  }

  private void restart(int member, Stage stage) throws Exception {
    members[member].close();
    expect(1 - member, "alone", "true");
    members[member] = MemberJvm.start(stage.options, kind, ports[member], ports[1 - member]);
    expect(member, "format", stage.writes);
    expect(0, "whole", "true");
    expect(1, "whole", "true");
  }

  private String shown() {
    return "value" + number + (number == 1 ? "" : " after value" + (number - 1));
  }

  private void expectValue(String value) throws Exception {
    expect(0, "get " + key, value);
    expect(1, "get " + key, value);
  }

  private void expect(int member, String command, String expected) throws Exception {
    String answer = members[member].askUntil(command, expected);
    assertThat(answer)
        .as("%s of member %s, beside %s", command, members[member], members[1 - member])
        .isEqualTo(expected);
  }

  @Override
  public void close() {
    for (MemberJvm each : members) {
      if (each != null) {
        each.close();
      }
    }
  }
}
