package io.karmi.dgc.lease;

import io.karmi.dgc.Background;
import io.karmi.dgc.ExportedObjects;
import io.karmi.dgc.Messenger;
import io.karmi.dgc.OwnThreads;
import io.karmi.dgc.Sender;
import io.karmi.guard.Ledger;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.junit.After;

/**
 * Two collectors that talk through memory, over a way that can be cut, and the messages of a third
 * node by hand.
 */
abstract class LeaseFixture {
  static final long LONG_LEASE = 600_000;
  static final long OBJECT = 77L << 32;
  static final long KEY = 4_711;

  /** More than any of these tests takes. */
  static final long ROOM_BYTES = 1L << 30;

  final NodeId ownerNode = NodeId.random();
  final NodeId holderNode = NodeId.random();
  final ObjectId object = new ObjectId(ownerNode, OBJECT, new TechnologyId("memory", "owner"));
  final Exported exported = new Exported();
  final AtomicInteger messages = new AtomicInteger();
  final List<LeaseCollector> opened = new ArrayList<>();
  volatile boolean cut;

  @After
  public void close() {
    cut = true;
    opened.forEach(LeaseCollector::close);
  }

  final LeaseCollector owner(long leaseMillis) {
    return open((Way) (to, message) -> 0, leaseMillis);
  }

  final LeaseCollector holder(LeaseCollector owner) {
    return open(
        (Way)
            (to, message) -> {
              if (cut) {
                throw new IOException("the way is cut");
              }
              messages.incrementAndGet();
              return owner.receive(from(holderNode), message);
            },
        LONG_LEASE);
  }

  final LeaseCollector open(Messenger messenger, long leaseMillis) {
    return open(messenger, new OwnThreads(), leaseMillis, ROOM_BYTES, System::nanoTime);
  }

  final LeaseCollector open(
      Messenger messenger,
      Background background,
      long leaseMillis,
      long roomBytes,
      LongSupplier nanoClock) {
    LeaseCollector collector =
        new LeaseCollector(
            messenger, exported, background, leaseMillis, ledger(roomBytes), nanoClock);
    opened.add(collector);
    return collector;
  }

  private static Ledger ledger(long bytes) {
    return new Ledger("a test", bytes, Ledger.Weakest.NONE);
  }

  /** An owner of long leases that has that much room for them. */
  final LeaseCollector ownerWithRoom(long bytes) {
    return open((Way) (to, message) -> 0, new OwnThreads(), LONG_LEASE, bytes, System::nanoTime);
  }

  static List<Object> arrived(LeaseCollector holder, ObjectId... references) {
    return holder.arrived(List.of(references), new long[references.length]);
  }

  static Sender from(NodeId node) {
    return new Sender() {
      @Override
      public NodeId node() {
        return node;
      }

      @Override
      public void whenGone(Runnable action) {}
    };
  }

  static long[] dirty(long sequence, long... numbers) {
    return message(LeaseMessage.DIRTY, sequence, numbers);
  }

  static long[] clean(long sequence, long... numbers) {
    return message(LeaseMessage.CLEAN, sequence, numbers);
  }

  static long[] message(long kind, long sequence, long... numbers) {
    List<LeaseMessage.Held> all = new ArrayList<>();
    for (long number : numbers) {
      all.add(new LeaseMessage.Held(number, KEY));
    }
    return LeaseMessage.of(kind, sequence, LONG_LEASE, all);
  }

  /** Leases need no lines; how long an answer may take is up to a test. */
  interface Way extends Messenger {
    long send(ObjectId anyObject, long... message) throws IOException;

    @Override
    default long send(ObjectId anyObject, long[] message, long mostMillis) throws IOException {
      return send(anyObject, message);
    }

    @Override
    default Closeable openLine(ObjectId anyObject, long[] message, long mostMillis)
        throws IOException {
      throw new IOException("no lines here");
    }
  }

  static final class Exported implements ExportedObjects {
    final Set<Long> held = ConcurrentHashMap.newKeySet();

    /** Of what is held no longer, all: it is noted here first. */
    final List<Long> letGo = new CopyOnWriteArrayList<>();

    final AtomicInteger failures = new AtomicInteger();
    volatile boolean exists = true;

    @Override
    public boolean isExported(long number) {
      return exists;
    }

    @Override
    public boolean hold(long number) {
      if (exists) {
        held.add(number);
      }
      return exists;
    }

    @Override
    public synchronized void letGo(long number) {
      if (failures.getAndDecrement() > 0) {
        throw new OutOfMemoryError("unable to create native thread (made)");
      }
      letGo.add(number);
      held.remove(number);
    }
  }
}
