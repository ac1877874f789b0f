package io.karmi.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.Callee;
import io.karmi.contract.Nodes;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallObjectInput;
import io.karmi.marshal.CallOutput;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import org.junit.Test;

public class IdleConnectionsTest {
  /** A reference, as the runtime above sends and reads it. */
  public static final class Sent implements Externalizable {
    private static final long serialVersionUID = 1;
    ObjectId object;

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
        TcpTechnology client = Wire.open(Nodes.caller())) {
      TechnologyId way = server.listen(0);
      named.object = Nodes.object(node, way);
      ObjectId registry = Wire.anybody(client, Wire.port(way));
      Sent found = (Sent) client.objectApplicationCall(registry, Callee.METHODS, 0, MINUS, null);
      for (int i = 0; i < 3; i++) {
        assertThat(Nodes.next(client, registry, i)).isEqualTo(i + 1);
        assertThat(Nodes.next(client, found.object, i)).isEqualTo(i + 1);
        assertThat(Nodes.next(client, found.object, i)).isEqualTo(i + 1);
      }
      assertThat(client.counters()).containsEntry("connectionsOpened", 1L);
      assertThat(Nodes.next(client, Nodes.object(node, way), 1)).isEqualTo(2);
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
}
