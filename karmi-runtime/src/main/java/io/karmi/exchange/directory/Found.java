package io.karmi.exchange.directory;

import io.karmi.exchange.GroupAddress;
import io.karmi.messaging.Address;
import java.io.Serializable;
import java.util.Objects;

/**
 * A group, and who can send it.
 *
 * @param sources members of hosts that have its file, one of each host
 */
public record Found(GroupAddress group, Address[] sources) implements Serializable {
  /** What has been sent may lack anything: that is no answer. */
  public Found {
    Objects.requireNonNull(group, "group");
    Parts.present(sources, "sources");
  }
}
