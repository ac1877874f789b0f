package io.karmi.connection.channel;

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
  public final UpCall upCall;
  public final ConnectionSettings settings;
  public final PeerIdentity peer;
  public final CallFormat format;

  /** The listening end at which the connection came in, or null if this node opened it. */
  public final @Nullable TechnologyId endpoint;

  /** Whether it carries messages, and not calls. */
  public final boolean messages;

  /** Whether the other end sends signs of life. */
  public final boolean givesSigns;

  /** Milliseconds for which the other end waits for a sign of life; 0 if it wants none. */
  public final int wantsSignsMillis;

  /** Whether the other end understands that a node ends, and tells it. */
  public final boolean knowsGoAway;

  /** Whether the other end understands that a connection gives way, and tells it. */
  public final boolean knowsGivingWay;

  /** Whether the other end takes messages with headers. */
  public final boolean takesHeaders;

  /** Whether the other end looks for links that lead to the same node. */
  public final boolean takesKnocks;

  /** Whether the other end takes longer windows, and gives them back. */
  public final boolean takesWindows;

  /** Whether both ends make rings in shared memory longer, as these carry messages. */
  public final boolean hasLongRings;

  /** Made by an {@link Introducer}; otherwise for tests. */
  public Introduction(
      UpCall upCall,
      ConnectionSettings settings,
      PeerIdentity peer,
      CallFormat format,
      @Nullable TechnologyId endpoint,
      boolean messages,
      Handshake other) {
    this.upCall = upCall;
    this.settings = settings;
    this.peer = peer;
    this.format = format;
    this.endpoint = endpoint;
    this.messages = messages;
    givesSigns = !messages && (other.features & Handshake.SIGNS_OF_LIFE) != 0;
    knowsGoAway = !messages && (other.features & Handshake.GO_AWAY) != 0;
    knowsGivingWay = !messages && (other.features & Handshake.GIVES_WAY) != 0;
    takesHeaders = messages && (other.features & Handshake.MESSAGE_HEADERS) != 0;
    takesKnocks = messages && (other.features & Handshake.LINK_TWINS) != 0;
    takesWindows = messages && (other.features & Handshake.LINK_WINDOWS) != 0;
    hasLongRings = messages && (other.features & Handshake.LONG_RINGS) != 0;
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
