package io.karmi.dgc.lease;

import io.karmi.dgc.Background;
import io.karmi.dgc.Collector;
import io.karmi.dgc.ExportedObjects;
import io.karmi.dgc.Messenger;
import io.karmi.dgc.Sender;
import io.karmi.guard.Ledger;
import io.karmi.guard.Ledgers;
import io.karmi.id.ObjectId;
import java.util.List;
import java.util.function.LongSupplier;

/** Collector by leases: references that the node holds, and leases that it has granted. */
public final class LeaseCollector implements Collector {
  private final HeldReferences held;
  private final GrantedLeases granted;

  /**
   * Makes the collector of a node.
   *
   * @param background the threads that it works with
   * @param leaseMillis milliseconds for which an object is kept for a holder that does not renew
   */
  public LeaseCollector(
      Messenger messenger, ExportedObjects objects, Background background, long leaseMillis) {
    this(messenger, objects, background, leaseMillis, Ledgers.leases(), System::nanoTime);
  }

  LeaseCollector(
      Messenger messenger,
      ExportedObjects objects,
      Background background,
      long leaseMillis,
      Ledger ledger,
      LongSupplier nanoClock) {
    held = new HeldReferences(messenger, background, leaseMillis);
    granted = new GrantedLeases(objects, background, leaseMillis, ledger, nanoClock);
  }

  @Override
  public String name() {
    return LeaseProvider.NAME;
  }

  /** Receivers report what they hold themselves. */
  @Override
  public long leaving(long number, Object receiver) {
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
    return granted.receive(from, message);
  }

  @Override
  public int heldObjects() {
    return granted.heldObjects();
  }

  /** The number of owners that are remembered. */
  int owners() {
    return held.owners();
  }

  @Override
  public void close() {
    held.close();
    granted.close();
  }
}
