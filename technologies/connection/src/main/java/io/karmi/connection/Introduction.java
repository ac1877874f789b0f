package io.karmi.connection;

import io.karmi.id.NodeId;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.CallFormat;
import io.karmi.technology.UpCall;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a connection once its ends have introduced themselves; made by an {@link
 * Introducer}. Immutable.
 */
public final class Introduction {
  final UpCall upCall;
  final ConnectionSettings settings;
  final NodeId remote;
  final CallFormat format;

  /** Where it came in, or null if this node opened it. */
  final @Nullable TechnologyId endpoint;

  /** Where it lives while idle, or null if this node did not open it. */
  final @Nullable ConnectionPool home;

  Introduction(
      UpCall upCall,
      ConnectionSettings settings,
      NodeId remote,
      CallFormat format,
      @Nullable TechnologyId endpoint,
      @Nullable ConnectionPool home) {
    this.upCall = upCall;
    this.settings = settings;
    this.remote = remote;
    this.format = format;
    this.endpoint = endpoint;
    this.home = home;
  }
}
