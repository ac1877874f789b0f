package io.karmi.connection.channel;

import io.karmi.id.TechnologyId;
import io.karmi.marshal.CallFormat;
import io.karmi.technology.ConnectionSettings;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StreamCorruptedException;
import java.rmi.ConnectIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Introducer of a node at new connections, at either end; agrees on a format.
 *
 * <p>The end that opens the connection {@linkplain #offer offers}, reads the answer and {@linkplain
 * #agree agrees}; the end that accepts it reads the offer and {@linkplain #answer answers}.
 */
public final class Introducer {
  private final UpCall upCall;
  private final ConnectionSettings settings;
  private @Nullable TokenSource tokens;

  /** Made with its technology. */
  public Introducer(UpCall upCall, ConnectionSettings settings) {
    this.upCall = upCall;
    this.settings = settings;
  }

  /**
   * Sends the node's name and its offer. If that fails the other end may have said why, so the
   * answer is to be read nevertheless.
   *
   * @param address the address that was dialled
   * @param messages whether it is to carry messages, and not calls
   */
  public void offer(OutputStream to, String address, boolean messages) {
    long token = tokens().tokenFor(address);
    Handshake offer =
        messages
            ? Handshake.offeringMessages(upCall.node(), upCall.formats(), token)
            : Handshake.offering(upCall.node(), upCall.formats(), token, settings.keepAliveMillis);
    try {
      offer.write(to);
    } catch (IOException e) {
      ConnectionLog.LOG.log(System.Logger.Level.DEBUG, "no offer to " + address, e);
    }
  }

  /** The tokens, drawn on first use: a node that makes no calls needs none. */
  private synchronized TokenSource tokens() {
    TokenSource drawn = tokens;
    if (drawn == null) {
      drawn = new TokenSource();
      tokens = drawn;
    }
    return drawn;
  }

  /** The same for a network that proves nothing about the other end. */
  public Introduction agree(Handshake answer, String address, boolean messages)
      throws ConnectIOException {
    return agree(answer, address, messages, null);
  }

  /**
   * Accepts what the other end has chosen.
   *
   * @param address the address that was dialled
   * @param messages as for {@link #offer}
   * @param credential as for {@link #answer}
   * @throws ConnectIOException if it refuses the connection, or knows no format of this node
   */
  public Introduction agree(
      Handshake answer, String address, boolean messages, @Nullable Object credential)
      throws ConnectIOException {
    CallFormat format =
        messages ? answer.chooseForMessages(upCall.formats()) : answer.choose(upCall.formats());
    if (format == null && !answer.refusal.isEmpty()) {
      throw new ConnectIOException(address + " refuses this connection: " + answer.refusal);
    }
    if (format == null) {
      throw new ConnectIOException(
          address + " knows none of the formats " + names() + " of this node");
    }
    if (answer.chooseVersion() == 0) {
      throw new ConnectIOException(address + " " + versions(answer));
    }
    PeerIdentity peer = new PeerIdentity(answer.node, tokens().tokenFor(address), credential);
    return new Introduction(upCall, settings, peer, format, null, messages, answer);
  }

  private static String versions(Handshake other) {
    return "speaks versions "
        + other.least
        + " to "
        + other.most
        + " of the protocol, this node "
        + Handshake.MINIMUM_VERSION
        + " to "
        + Handshake.MAXIMUM_VERSION;
  }

  private List<String> names() {
    return Handshake.offering(upCall.node(), upCall.formats(), 0, 0).formats;
  }

  /** The same for a network that proves nothing about the other end. */
  public Introduction answer(Handshake offer, OutputStream to, TechnologyId endpoint)
      throws IOException {
    return answer(offer, to, endpoint, null);
  }

  /**
   * Chooses a version and a format, and sends the choice.
   *
   * @param endpoint where the connection has come in
   * @param credential what the network has proven of the other end, to be compared by {@code
   *     equals}; null for nothing
   * @throws StreamCorruptedException if there is none; the other end has been told so
   */
  public Introduction answer(
      Handshake offer, OutputStream to, TechnologyId endpoint, @Nullable Object credential)
      throws IOException {
    boolean messages = offer.isForMessages();
    if (messages && !upCall.takesMessages()) {
      refuse(to, "this node takes no messages");
      throw new StreamCorruptedException("peer sends messages, which this node does not take");
    }
    CallFormat format =
        messages ? offer.chooseForMessages(upCall.formats()) : offer.choose(upCall.formats());
    int version = offer.chooseVersion();
    if (version == 0) {
      refuse(to, "the node that connects " + versions(offer));
      throw new StreamCorruptedException("peer " + versions(offer));
    }
    if (format == null) {
      new Handshake(upCall.node(), List.of()).write(to);
      throw new StreamCorruptedException("peer knows only the formats " + offer.formats);
    }
    int features = offer.features & Handshake.FEATURES;
    String name = messages ? Handshake.MESSAGES + format.name() : format.name();
    Handshake.answering(upCall.node(), name, version, features, settings.keepAliveMillis).write(to);
    PeerIdentity peer = new PeerIdentity(offer.node, offer.token, credential);
    return new Introduction(upCall, settings, peer, format, endpoint, messages, offer);
  }

  /** Answers why this node does not serve the connection. */
  public void refuse(OutputStream to, String reason) throws IOException {
    Handshake.refusing(upCall.node(), reason).write(to);
  }
}
