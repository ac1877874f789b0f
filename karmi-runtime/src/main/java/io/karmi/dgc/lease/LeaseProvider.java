package io.karmi.dgc.lease;

import io.karmi.dgc.Background;
import io.karmi.dgc.Collector;
import io.karmi.dgc.CollectorProvider;
import io.karmi.dgc.ExportedObjects;
import io.karmi.dgc.Messenger;
import io.karmi.id.NodeId;
import io.karmi.settings.Settings;

/** Provider of lease collectors; a lease lasts {@code java.rmi.dgc.leaseValue} milliseconds. */
public final class LeaseProvider implements CollectorProvider {
  /** The name of the strategy. */
  public static final String NAME = "lease";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Collector open(
      NodeId node, Messenger messenger, ExportedObjects objects, Background background) {
    long leaseMillis = LeaseTimes.ofOwner(Settings.LEASE.get());
    return new LeaseCollector(messenger, objects, background, leaseMillis);
  }
}
