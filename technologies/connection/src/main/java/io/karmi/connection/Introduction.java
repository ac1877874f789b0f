package io.karmi.connection;

import io.karmi.id.TechnologyId;
import io.karmi.marshal.CallFormat;
import io.karmi.technology.ConnectionSettings;
import io.karmi.technology.UpCall;
import org.jspecify.annotations.Nullable;

/**
 * What the ends of a connection have agreed on when they introduced themselves; made by an {@link
 * Introducer}. Immutable.
 */
public final class Introduction {
  final UpCall upCall;
  final ConnectionSettings settings;
  final PeerIdentity peer;
  final CallFormat format;

  /** The listening end at which the connection came in, or null if this node opened it. */
  final @Nullable TechnologyId endpoint;

  /** The pool that keeps it while idle, or null if this node did not open it. */
  final @Nullable ConnectionPool home;

  /** Whether it carries messages, and not calls. */
  final boolean messages;

  /** Whether the other end sends signs of life. */
  final boolean givesSigns;

  /** Milliseconds for which the other end waits for a sign of life; 0 if it wants none. */
  final int wantsSignsMillis;

  /** Whether the other end understands that a node ends, and tells it. */
  final boolean knowsGoAway;

  /** Whether the other end takes messages with headers. */
  final boolean takesHeaders;

  Introduction(
      UpCall upCall,
      ConnectionSettings settings,
      PeerIdentity peer,
      CallFormat format,
      @Nullable TechnologyId endpoint,
      @Nullable ConnectionPool home,
      boolean messages,
      Handshake other) {
    this.upCall = upCall;
    this.settings = settings;
    this.peer = peer;
    this.format = format;
    this.endpoint = endpoint;
    this.home = home;
    this.messages = messages;
    givesSigns = !messages && (other.features & Handshake.SIGNS_OF_LIFE) != 0;
    knowsGoAway = !messages && (other.features & Handshake.GO_AWAY) != 0;
    takesHeaders = messages && (other.features & Handshake.MESSAGE_HEADERS) != 0;
    wantsSignsMillis = givesSigns ? other.keepAliveMillis : 0;
  }

  /**
   * Time to look for bytes before sleeping, in nanoseconds.
   *
   * @param byDefault the network's default
   */
  public long spinNanos(long byDefault) {
    return settings.spinNanos < 0 ? byDefault : settings.spinNanos;
  }
}
