package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.io.Serializable;
import java.math.RoundingMode;
import org.junit.Test;
import org.junit.runner.RunWith;

/** {@code writeUnshared}, {@code readUnshared} and unshared fields. */
@RunWith(SameProgram.class)
public class UnsharedTest {

  static class Node implements Serializable {
    Object to;

    Node(Object to) {
      this.to = to;
    }
  }

  static class Fields implements Serializable {
    private static final ObjectStreamField[] serialPersistentFields = {
      new ObjectStreamField("shared", Object.class, false),
      new ObjectStreamField("unshared", Object.class, true),
      new ObjectStreamField("other", Object.class)
    };
    Object shared;
    Object unshared;
    Object other;

    Fields(Object shared, Object unshared, Object other) {
      this.shared = shared;
      this.unshared = unshared;
      this.other = other;
    }
  }

  static class Resolving implements Serializable {
    private Object readResolve() {
      return "resolved";
    }
  }

  private static Object[] objects() {
    return new Object[] {
      new Node("n"),
      new int[] {1},
      new Object[] {"a"},
      "string",
      RoundingMode.UP,
      String.class,
      5,
      new Resolving(),
      null
    };
  }

  @Test
  public void unsharedObjectsAreWrittenAgain() throws Exception {
    for (Object object : objects()) {
      byte[] bytes =
          Wire.writeBy(
              out -> {
                out.writeObject(object);
                out.writeUnshared(object);
                out.writeObject(object);
                out.writeUnshared(object);
                out.writeObject(object);
              });
      attempt("all", () -> Wire.read(bytes, 5));
    }
  }

  @Test
  public void unsharedObjectIsNotReferredToLater() throws Exception {
    Node node = new Node("inner");
    byte[] bytes =
        Wire.writeBy(
            out -> {
              out.writeUnshared(node);
              out.writeObject(node);
              out.writeObject(new Object[] {node, node.to});
            });
    see("all", Wire.read(bytes, 3));
  }

  @Test
  public void readUnsharedRefusesReferences() throws Exception {
    for (Object object : objects()) {
      byte[] bytes = Wire.write(object, object);
      try (ObjectInputStream in = Wire.open(bytes)) {
        attempt("first", in::readObject);
        attempt("second", in::readUnshared);
      }
      try (ObjectInputStream in = Wire.open(bytes)) {
        attempt("first unshared", in::readUnshared);
        attempt("second", in::readObject);
      }
      try (ObjectInputStream in = Wire.open(bytes)) {
        attempt("both unshared", in::readUnshared);
        attempt("both unshared", in::readUnshared);
      }
    }
  }

  @Test
  public void unsharedObjectsOnBothSides() throws Exception {
    for (Object object : objects()) {
      byte[] bytes =
          Wire.writeBy(
              out -> {
                out.writeUnshared(object);
                out.writeUnshared(object);
              });
      try (ObjectInputStream in = Wire.open(bytes)) {
        attempt("first", in::readUnshared);
        attempt("second", in::readUnshared);
      }
    }
  }

  @Test
  public void cycleThroughAnUnsharedObject() throws Exception {
    Node node = new Node(null);
    node.to = new Object[] {node};
    byte[] bytes = Wire.writeBy(out -> out.writeUnshared(node));
    attempt("shared read", () -> Wire.read(bytes));
    try (ObjectInputStream in = Wire.open(bytes)) {
      attempt("unshared read", in::readUnshared);
    }
    byte[] shared = Wire.write(node);
    try (ObjectInputStream in = Wire.open(shared)) {
      attempt("cycle back to what is read unshared", in::readUnshared);
    }
  }

  @Test
  public void fieldsThatAreUnshared() throws Exception {
    Node node = new Node("n");
    attempt("all the same", () -> Wire.copy(new Fields(node, node, node)));
    attempt("strings", () -> Wire.copy(new Fields("s", "s", "s")));
    attempt("different", () -> Wire.copy(new Fields(node, new Node(node), node)));
    attempt("null", () -> Wire.copy(new Fields(null, null, null)));
    attempt("enum", () -> Wire.copy(new Fields(RoundingMode.UP, null, null)));
    attempt("unshared enum", () -> Wire.copy(new Fields(null, RoundingMode.UP, null)));
    attempt(
        "before and after",
        () -> Wire.copy(new Object[] {node, new Fields(null, node, null), node}));
  }

  static class Hook implements Serializable {
    private void writeObject(ObjectOutputStream out) throws IOException {
      Node node = new Node("h");
      out.writeUnshared(node);
      out.writeUnshared(node);
      out.writeObject(node);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      see("in hook", new Object[] {in.readUnshared(), in.readObject(), in.readUnshared()});
    }
  }

  @Test
  public void unsharedInsideHooks() throws Exception {
    see("copy", Wire.copy(new Hook()));
  }
}
