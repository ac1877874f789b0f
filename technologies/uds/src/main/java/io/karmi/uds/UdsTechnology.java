package io.karmi.uds;

import io.karmi.connection.channel.Introduction;
import io.karmi.connection.channel.NodeChannel;
import io.karmi.connection.guard.Slot;
import io.karmi.technology.ConnectionSettings;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** Calls over Unix-domain sockets, between processes of one user on one host. Thread-safe. */
public final class UdsTechnology extends LocalTechnology {
  /** The first half of its UTIDs. */
  public static final String NAME = Uds.NAME;

  private static final int RANK = 20;

  UdsTechnology(UpCall upCall, ConnectionSettings settings, SocketDirectory directory) {
    super(Uds.NAME, upCall, settings, directory);
  }

  @Override
  public int rank() {
    return RANK;
  }

  @Override
  protected NodeChannel opened(
      Introduction introduction, SocketChannel channel, Selector selector, String peerName)
      throws IOException {
    return new UdsChannel(introduction, channel, selector, peerName);
  }

  @Override
  protected NodeChannel accepted(
      Introduction introduction,
      SocketChannel channel,
      Selector selector,
      String peerName,
      Slot slot)
      throws IOException {
    return new UdsChannel(introduction, channel, selector, peerName);
  }
}
