package io.karmi.dgc.counting;

import io.karmi.dgc.Background;
import io.karmi.dgc.Collector;
import io.karmi.dgc.ExportedObjects;
import io.karmi.dgc.Messenger;
import io.karmi.dgc.Sender;
import io.karmi.guard.Ledgers;
import io.karmi.id.ObjectId;
import java.util.List;

/**
 * Collector by counting: weights of references that the node holds, and of those that it has given
 * out.
 */
public final class CountingCollector implements Collector {
  private final HeldWeights held;
  private final Accounts accounts;

  /**
   * Makes the collector of a node.
   *
   * @param background the threads that it works with
   */
  public CountingCollector(Messenger messenger, ExportedObjects objects, Background background) {
    held = new HeldWeights(messenger, background);
    accounts = new Accounts(objects, Ledgers.leases());
  }

  @Override
  public String name() {
    return CountingProvider.NAME;
  }

  @Override
  public long leaving(long number, Object receiver) {
    return accounts.leaving(number, receiver);
  }

  @Override
  public void notArrived(long number, long credit) {
    accounts.notArrived(number, credit);
  }

  @Override
  public List<Object> arrived(List<ObjectId> references, long[] credits) {
    return held.arrived(references, credits);
  }

  @Override
  public long receive(Sender from, long[] message) {
    return accounts.receive(from, message);
  }

  @Override
  public int heldObjects() {
    return accounts.heldObjects();
  }

  @Override
  public void close() {
    held.close();
  }
}
