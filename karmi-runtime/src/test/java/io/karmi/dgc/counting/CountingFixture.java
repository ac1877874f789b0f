package io.karmi.dgc.counting;

import io.karmi.dgc.ExportedObjects;
import io.karmi.dgc.Sender;
import io.karmi.id.NodeId;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** An owner's objects, and those who send messages about them. */
abstract class CountingFixture {
  static final long OBJECT = 77L << 32;

  final NodeId ownerNode = NodeId.random();
  final Exported exported = new Exported();

  /** The other end of a line, or where a message has come from. */
  static final class From implements Sender {
    private final NodeId node;
    private final Object identity;
    private final List<Runnable> whenGone = new CopyOnWriteArrayList<>();

    From(NodeId node) {
      this(node, node);
    }

    From(NodeId node, Object identity) {
      this.node = node;
      this.identity = identity;
    }

    @Override
    public NodeId node() {
      return node;
    }

    @Override
    public Object identity() {
      return identity;
    }

    @Override
    public void whenGone(Runnable action) {
      whenGone.add(action);
    }

    void gone() {
      whenGone.forEach(Runnable::run);
    }
  }

  /** The objects of the owner. */
  static final class Exported implements ExportedObjects {
    final Set<Long> held = ConcurrentHashMap.newKeySet();

    /** Of what is held no longer, all: it is noted here first. */
    final List<Long> letGo = new CopyOnWriteArrayList<>();

    @Override
    public boolean isExported(long number) {
      return true;
    }

    @Override
    public boolean hold(long number) {
      held.add(number);
      return true;
    }

    @Override
    public void letGo(long number) {
      letGo.add(number);
      held.remove(number);
    }
  }
}
