package io.karmi.reference;

import io.karmi.contract.LoopbackTechnology;
import io.karmi.id.ObjectId;
import io.karmi.marshal.UkaFormat;
import io.karmi.stub.StubType;
import io.karmi.stub.StubTypes;
import java.io.IOException;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.util.ArrayList;
import java.util.List;

/** Nodes of one JVM that reach each other through memory, and what they export. */
final class LoopbackNodes implements AutoCloseable {
  private record Exported(Node node, Remote object) {}

  private final List<Node> nodes = new ArrayList<>();
  private final List<Exported> exported = new ArrayList<>();

  /** One more node. */
  Node open() {
    Node node = alone();
    node.add(new LoopbackTechnology(node.upCall()));
    return node;
  }

  /** One more node, without a technology. */
  Node alone() {
    Node node = new Node(List.of(new UkaFormat()));
    nodes.add(node);
    return node;
  }

  /** Exports an object, which is unexported in the end. */
  ServerRef export(Node node, Class<? extends Remote> type, Remote object) throws IOException {
    StubType stubs = StubTypes.of(type);
    ServerRef entry = node.export(object, stubs.makeSkeleton(), stubs, 0, null);
    exported.add(new Exported(node, object));
    return entry;
  }

  /** A stub of an object that a node knows by its name only. */
  static <T extends Remote> T stub(Node node, Class<T> type, ObjectId name) {
    return type.cast(StubTypes.of(type).makeStub(node.reference(name)));
  }

  @Override
  public void close() {
    for (Exported each : exported) {
      try {
        each.node.unexport(each.object, true);
      } catch (NoSuchObjectException e) {
        continue; // the test has unexported it
      }
    }
    nodes.forEach(Node::close);
  }
}
