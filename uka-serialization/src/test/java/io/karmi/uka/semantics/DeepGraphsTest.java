package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.event;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Graphs as deep as the JDK's streams manage on the same stack. */
@RunWith(SameProgram.class)
public class DeepGraphsTest {

  /** What the JDK's streams survive on a thread's default stack with room to spare. */
  private static final int DEPTH = 150;

  static class Node implements Serializable {
    int number;
    Object next;

    Node(int number, Object next) {
      this.number = number;
      this.next = next;
    }
  }

  static class Hooked extends Node {
    Hooked(int number, Object next) {
      super(number, next);
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      out.writeInt(number);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      number = in.readInt();
    }
  }

  static class Heir extends Node {
    long more;
    Object other;

    Heir(int number, Object next) {
      super(number, next);
      more = -number;
      other = "other " + number;
    }
  }

  static class Childless extends Heir {
    Childless(int number, Object next) {
      super(number, next);
    }
  }

  record Link(int number, Object next) implements Serializable {}

  private static int depth(Object chain) {
    int depth = 0;
    Object at = chain;
    while (at != null) {
      depth++;
      if (at instanceof Node node) {
        at = node.next;
      } else if (at instanceof Link link) {
        at = link.next();
      } else if (at instanceof Object[] array) {
        at = array[0];
      } else if (at instanceof List<?> list) {
        at = list.isEmpty() ? null : list.get(0);
      } else if (at instanceof Map<?, ?> map) {
        at = map.isEmpty() ? null : map.get("next");
      } else {
        return depth;
      }
    }
    return depth;
  }

  @Test
  public void chainsOfEveryKind() throws Exception {
    Object plain = "end";
    Object hooked = "end";
    Object heirs = "end";
    Object records = "end";
    Object arrays = "end";
    Object lists = "end";
    Object maps = "end";
    Object mixed = "end";
    for (int i = 0; i < DEPTH; i++) {
      plain = new Node(i, plain);
      hooked = new Hooked(i, hooked);
      heirs = i % 2 == 0 ? new Heir(i, heirs) : new Childless(i, heirs);
      records = new Link(i, records);
      arrays = new Object[] {arrays};
      lists = new LinkedList<>(List.of(lists));
      maps = new HashMap<>(Map.of("next", maps));
      mixed =
          i % 3 == 0
              ? new Node(i, mixed)
              : i % 3 == 1 ? new Object[] {mixed} : new ArrayList<>(List.of(mixed));
    }
    for (Object chain : new Object[] {plain, hooked, heirs, records, arrays, lists, maps, mixed}) {
      attempt(chain.getClass().getName(), () -> depth(Wire.copy(chain)));
    }
  }

  @Test
  public void treesAreWideAndDeep() throws Exception {
    Object tree = tree(13);
    Object copy = Wire.copy(tree);
    see("nodes", count(copy));
  }

  private static Object tree(int depth) {
    return depth == 0 ? null : new Node(depth, new Object[] {tree(depth - 1), tree(depth - 1)});
  }

  private static int count(Object tree) {
    if (tree == null) {
      return 0;
    }
    Object[] children = (Object[]) ((Node) tree).next;
    return 1 + count(children[0]) + count(children[1]);
  }

  @Test
  public void deepChainsOfOneListInAnother() throws Exception {
    Map<String, Object> map = new TreeMap<>();
    Map<String, Object> inner = map;
    for (int i = 0; i < DEPTH; i++) {
      Map<String, Object> next = new TreeMap<>();
      inner.put("next", next);
      inner.put("number", i);
      inner = next;
    }
    see("depth", depth(Wire.copy(map)));
  }

  @Test
  public void skippedChainsAreAsDeep() throws Exception {
    byte[] bytes = Wire.write(new Skipping(), "after");
    see("both", Wire.read(bytes, 2));
  }

  static class Skipping implements Serializable {
    private void writeObject(ObjectOutputStream out) throws IOException {
      Object chain = "end";
      for (int i = 0; i < DEPTH; i++) {
        chain = new Node(i, chain);
      }
      out.writeObject(chain);
    }

    private void readObject(ObjectInputStream in) {
      event("not read");
    }
  }
}
