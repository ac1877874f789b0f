package io.karmi.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.Callee;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallObjectInput;
import io.karmi.marshal.CallOutput;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

public class IdleConnectionsTest {
  private static final int CALLERS = 3;

  /** A reference, as the runtime above sends and reads it. */
  public static final class Sent implements Externalizable {
    private static final long serialVersionUID = 1;
    private ObjectId object;

    /** For {@link Externalizable}. */
    public Sent() {}

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      object.write(out);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      object = ObjectId.read(in);
      ((CallObjectInput) in).call().referenceArrived(object, this);
    }
  }

  @Test
  public void registryAndObjectsThatItsNodeNamesShareAConnection() throws Exception {
    Sent named = new Sent();
    Callee node =
        new Callee(
            (call, in, out) -> {
              int value = in.readInt();
              in.endArguments();
              out.beginResult();
              if (value < 0) {
                out.writeObject(named);
              } else {
                out.writeInt(value + 1);
              }
            });
    try (TcpTechnology server = Wire.open(node);
        TcpTechnology client = Wire.open(Wire.caller())) {
      TechnologyId way = server.listen(0);
      named.object = Wire.object(node, way);
      ObjectId registry = Wire.anybody(client, Wire.port(way));
      Sent found = (Sent) client.objectApplicationCall(registry, Callee.METHODS, 0, MINUS, null);
      for (int i = 0; i < 3; i++) {
        assertThat(Wire.next(client, registry, i)).isEqualTo(i + 1);
        assertThat(Wire.next(client, found.object, i)).isEqualTo(i + 1);
        assertThat(Wire.next(client, found.object, i)).isEqualTo(i + 1);
      }
      assertThat(client.counters()).containsEntry("connectionsOpened", 1L);
      assertThat(Wire.next(client, Wire.object(node, way), 1)).isEqualTo(2);
      assertThat(client.counters())
          .as("a reference that has come another way goes where it says")
          .containsEntry("connectionsOpened", 2L);
    }
  }

  private static final Arguments MINUS =
      new Arguments() {
        @Override
        public void marshal(CallOutput out) throws IOException {
          out.writeInt(-1);
        }
      };

  @Test
  public void connectionsOfCallersAtTheSameTimeAreUsedAgain() throws Exception {
    Callee node = Wire.successorFor(CALLERS);
    ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
    try (TcpTechnology server = Wire.open(node);
        TcpTechnology client = Wire.open(Wire.caller())) {
      ObjectId target = Wire.object(node, server.listen(0));
      for (int round = 0; round < 50; round++) {
        List<Future<Integer>> all = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
          int value = i;
          all.add(callers.submit(() -> Wire.next(client, target, value)));
        }
        for (int i = 0; i < CALLERS; i++) {
          assertThat(all.get(i).get(60, TimeUnit.SECONDS)).isEqualTo(i + 1);
        }
      }
      assertThat(client.counters())
          .containsEntry("connectionsOpened", (long) CALLERS)
          .containsEntry("callsMade", 50L * CALLERS);
    } finally {
      callers.shutdownNow();
    }
  }

  @Test
  public void whatWasFoundIsKeptForCallsOfTheSameObjectOnly() throws Exception {
    List<Object> found = new ArrayList<>();
    Callee node =
        new Callee(
            (call, in, out) -> {
              int value = in.readInt();
              in.endArguments();
              found.add(call.found());
              call.keepFound(call.objectNumber());
              out.beginResult();
              out.writeInt(value + 1);
            });
    try (TcpTechnology server = Wire.open(node);
        TcpTechnology client = Wire.open(Wire.caller())) {
      TechnologyId way = server.listen(0);
      for (long number : new long[] {100, 100, 200, 100, 100}) {
        assertThat(Wire.next(client, new ObjectId(node.node(), number, way), 1)).isEqualTo(2);
      }
    }
    assertThat(found).containsExactly(null, 100L, null, null, 100L);
  }
}
