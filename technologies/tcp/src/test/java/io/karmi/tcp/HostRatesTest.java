package io.karmi.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.Callee;
import io.karmi.contract.Nodes;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.kit.Deadline;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallOutput;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

/** How fast one host is read. */
public class HostRatesTest {
  private static final int ARGUMENT_BYTES = 250_000;

  private static Callee taking() {
    return new Callee(
        (call, in, out) -> {
          int length = ((byte[]) in.readObject()).length;
          in.endArguments();
          out.beginResult();
          out.writeInt(length);
        });
  }

  private static void send(TcpTechnology client, ObjectId target) throws Exception {
    Arguments bytes =
        new Arguments() {
          @Override
          public void marshal(CallOutput out) throws IOException {
            out.writeObject(new byte[ARGUMENT_BYTES]);
          }
        };
    assertThat(
            (int)
                client.bitsApplicationCall(
                    Integer.BYTES, target, Callee.METHODS, 0, bytes, Wire.LOADER))
        .isEqualTo(ARGUMENT_BYTES);
  }

  private static ObjectId at(Callee node, String host, TechnologyId way) {
    return new ObjectId(
        node.node(), Callee.OBJECT, new TechnologyId("tcp", host + ":" + Wire.port(way)));
  }

  @Test
  public void bytesOfAllConnectionsOfOneHostAreReadNoFasterThanAllowed() throws Exception {
    Callee node = taking();
    try (TcpTechnology server =
            Wire.open(
                node,
                "karmi.maxBytesPerSecondPerHost",
                "1000000",
                "karmi.messageTimeout",
                "500",
                "karmi.readTimeout",
                "100000");
        TcpTechnology one = Wire.open(Nodes.caller());
        TcpTechnology other = Wire.open(Nodes.caller())) {
      TechnologyId way = server.listen(0);
      long begin = System.nanoTime();
      for (int i = 0; i < 5; i++) {
        send(one, at(node, "127.0.0.1", way));
        send(other, at(node, "127.0.0.1", way));
      }
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      assertThat(millis).as("ms for 2.5 MB at 1 MB a second").isGreaterThan(1800);
    }
  }

  @Test
  public void thereIsNoLimitUnlessItIsAskedFor() throws Exception {
    Callee node = taking();
    try (TcpTechnology server = Wire.open(node);
        TcpTechnology client = Wire.open(Nodes.caller())) {
      TechnologyId way = server.listen(0);
      for (int i = 0; i < 40; i++) {
        send(client, at(node, "127.0.0.1", way));
      }
      assertThat(server.counters().get("bytesReceived")).isGreaterThan(40L * ARGUMENT_BYTES);
    }
  }

  @Test
  public void connectionThatIsClosedIsCountedByItsReason() throws Exception {
    Callee node = Nodes.successor();
    try (TcpTechnology server = Wire.open(node, "karmi.maxMessageBytes", "1000");
        TcpTechnology client = Wire.open(Nodes.caller())) {
      ObjectId target = at(node, "127.0.0.1", server.listen(0));
      try {
        send(client, target);
      } catch (java.rmi.RemoteException e) {
        assertThat(e).as("too long").isInstanceOf(java.rmi.RemoteException.class);
      }
      Deadline.await(
          "it is counted",
          () -> server.counters().getOrDefault("closed.karmi.maxMessageBytes", 0L) == 1);
    }
  }
}
