package io.karmi.dgc.lease;

import io.karmi.dgc.Collector;
import io.karmi.dgc.ExportedObjects;
import io.karmi.dgc.Messenger;
import io.karmi.dgc.Sender;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import java.util.List;
import java.util.function.BiConsumer;

/** The lease strategy: what a node holds, and what it has granted. */
public final class LeaseCollector implements Collector {
  private final HeldReferences held;
  private final GrantedLeases granted;

  /**
   * Makes the collector of a node.
   *
   * @param threads starts a daemon thread, given its name and its work
   * @param leaseMillis for how long an object is kept for a holder that does not renew
   */
  public LeaseCollector(
      Messenger messenger,
      ExportedObjects objects,
      BiConsumer<String, Runnable> threads,
      long leaseMillis) {
    held = new HeldReferences(messenger, threads, leaseMillis);
    granted = new GrantedLeases(objects, threads, leaseMillis);
  }

  @Override
  public String name() {
    return LeaseProvider.NAME;
  }

  /** Receivers report what they hold themselves. */
  @Override
  public long leaving(long number, NodeId receiver) {
    return NO_CREDIT;
  }

  @Override
  public void notArrived(long number, long credit) {}

  @Override
  public List<Object> arrived(List<ObjectId> references, long[] credits) {
    return held.arrived(references);
  }

  @Override
  public long receive(Sender from, long[] message) {
    return granted.receive(from.node(), message);
  }

  @Override
  public int heldObjects() {
    return granted.heldObjects();
  }

  @Override
  public void close() {
    held.close();
    granted.close();
  }
}
