package io.karmi.connection;

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
  final PeerIdentity peer;
  final CallFormat format;

  /** Where it came in, or null if this node opened it. */
  final @Nullable TechnologyId endpoint;

  /** Where it lives while idle, or null if this node did not open it. */
  final @Nullable ConnectionPool home;

  /** Whether it carries messages, and not calls. */
  final boolean messages;

  /** Whether the other end says now and then that it executes a call. */
  final boolean givesSigns;

  /** How long the other end waits for a sign of life, in milliseconds; 0 if it wants none. */
  final int wantsSignsMillis;

  /** Whether the other end understands that a node ends, or says it. */
  final boolean knowsGoAway;

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
    wantsSignsMillis = givesSigns ? other.keepAliveMillis : 0;
  }

  /**
   * How long to look for bytes before sleeping, in nanoseconds.
   *
   * @param byDefault for a network where nothing else was set
   */
  public long spinNanos(long byDefault) {
    return settings.spinNanos < 0 ? byDefault : settings.spinNanos;
  }
}
