package io.karmi.dgc.counting;

import io.karmi.dgc.Background;
import io.karmi.dgc.Collector;
import io.karmi.dgc.CollectorProvider;
import io.karmi.dgc.ExportedObjects;
import io.karmi.dgc.Messenger;
import io.karmi.id.NodeId;

/** Provider of counting collectors. */
public final class CountingProvider implements CollectorProvider {
  /** The name of the strategy. */
  public static final String NAME = "counting";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Collector open(
      NodeId node, Messenger messenger, ExportedObjects objects, Background background) {
    return new CountingCollector(messenger, objects, background);
  }
}
