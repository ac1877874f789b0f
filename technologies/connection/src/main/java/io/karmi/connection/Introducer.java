package io.karmi.connection;

import io.karmi.id.TechnologyId;
import io.karmi.marshal.CallFormat;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StreamCorruptedException;
import java.rmi.ConnectIOException;
import java.util.List;

/**
 * Introduces a node to others when a connection is opened, at either end, and agrees on a format.
 *
 * <p>The end that opens the connection {@linkplain #offer offers}, reads the answer and {@linkplain
 * #agree agrees}; the end that accepts it reads the offer and {@linkplain #answer answers}.
 */
public final class Introducer {
  private final UpCall upCall;
  private final ConnectionSettings settings;

  Introducer(UpCall upCall, ConnectionSettings settings) {
    this.upCall = upCall;
    this.settings = settings;
  }

  /** Sends the node's name and its formats. */
  public void offer(OutputStream to) throws IOException {
    Handshake.offering(upCall.node(), upCall.formats()).write(to);
  }

  /**
   * Accepts what the other end has chosen.
   *
   * @param address the address that was dialled
   * @throws ConnectIOException if it refuses the connection, or knows no format of this node
   */
  public Introduction agree(Handshake answer, String address, ConnectionPool home)
      throws ConnectIOException {
    CallFormat format = answer.choose(upCall.formats());
    if (format == null && !answer.refusal.isEmpty()) {
      throw new ConnectIOException(address + " refuses this connection: " + answer.refusal);
    }
    if (format == null) {
      throw new ConnectIOException(
          address + " knows none of the formats " + names() + " of this node");
    }
    return new Introduction(upCall, settings, answer.node, format, null, home);
  }

  private List<String> names() {
    return Handshake.offering(upCall.node(), upCall.formats()).formats;
  }

  /**
   * Chooses a format and says which.
   *
   * @param endpoint where the connection has come in
   * @throws StreamCorruptedException if there is none; the other end has been told so
   */
  public Introduction answer(Handshake offer, OutputStream to, TechnologyId endpoint)
      throws IOException {
    CallFormat format = offer.choose(upCall.formats());
    List<String> chosen = format == null ? List.of() : List.of(format.name());
    new Handshake(upCall.node(), chosen).write(to);
    if (format == null) {
      throw new StreamCorruptedException("peer knows only the formats " + offer.formats);
    }
    return new Introduction(upCall, settings, offer.node, format, endpoint, null);
  }

  /** Says why this node does not serve the connection. */
  public void refuse(OutputStream to, String reason) throws IOException {
    Handshake.refusing(upCall.node(), reason).write(to);
  }
}
