package io.karmi.ucx;

import io.karmi.connection.channel.ChannelArrival;
import io.karmi.connection.channel.Handshake;
import io.karmi.connection.channel.HostAddress;
import io.karmi.connection.channel.Introducer;
import io.karmi.connection.channel.Introduction;
import io.karmi.connection.guard.Slot;
import io.karmi.connection.guard.Watchdog;
import io.karmi.id.TechnologyId;
import io.karmi.technology.CallDeadline;
import io.karmi.technology.ConnectionSettings;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.rmi.ConnectIOException;
import java.rmi.RemoteException;
import org.jspecify.annotations.Nullable;

/**
 * Connector over UCX: opens connections, at either end, within the deadlines.
 *
 * <p>The ends introduce themselves over TCP, and then {@link Meeting} connects their workers.
 */
final class UcxConnector {
  private final ConnectionSettings settings;
  private final Watchdog watchdog;
  private final Introducer introducer;
  private final Fabric fabric;
  private final Secret secret;
  private final SideWatch watch = new SideWatch();

  UcxConnector(
      ConnectionSettings settings,
      Watchdog watchdog,
      Introducer introducer,
      Fabric fabric,
      Secret secret) {
    this.settings = settings;
    this.watchdog = watchdog;
    this.introducer = introducer;
    this.fabric = fabric;
    this.secret = secret;
  }

  /**
   * Opens a connection to the node that listens at an address.
   *
   * @throws RemoteException if there is none
   */
  UcxChannel connect(HostAddress address, boolean messages) throws RemoteException {
    boolean interrupted = Thread.interrupted(); // an interrupted thread could open no channel
    try {
      return open(address, messages);
    } catch (RemoteException e) {
      throw e;
    } catch (ConnectException e) {
      throw new java.rmi.ConnectException("no process listens at " + address, e);
    } catch (UnresolvedAddressException e) {
      throw new java.rmi.UnknownHostException("no host " + address.host(), e);
    } catch (IOException e) {
      throw new ConnectIOException("no connection to " + address, e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private UcxChannel open(HostAddress address, boolean messages) throws IOException {
    SocketChannel channel = SocketChannel.open();
    long connectMillis = CallDeadline.limited(settings.connectTimeoutMillis);
    watchdog.expect(channel, connectMillis);
    boolean open = false;
    try {
      channel.connect(new InetSocketAddress(address.host(), address.port()));
      checkInTime(channel, address, connectMillis);
      prepare(channel);
      long handshakeMillis = CallDeadline.limited(settings.handshakeTimeoutMillis);
      watchdog.expect(channel, handshakeMillis);
      introducer.offer(Channels.newOutputStream(channel), address.toString(), messages);
      Handshake answer = Handshake.read(Channels.newInputStream(channel));
      Introduction introduction = introducer.agree(answer, address.toString(), messages);
      UcxChannel connection = meet(introduction, channel, null, null);
      if (!watchdog.isOpen(channel, handshakeMillis)) {
        connection.close();
        throw tooLate(address, handshakeMillis);
      }
      open = true;
      return connection;
    } finally {
      if (!open) {
        watchdog.isOpen(channel, 0);
        Ucx.closeQuietly(channel);
      }
    }
  }

  private void checkInTime(SocketChannel channel, HostAddress address, long millis)
      throws IOException {
    if (!watchdog.isOpen(channel, millis)) {
      throw tooLate(address, millis);
    }
  }

  private static SocketTimeoutException tooLate(HostAddress address, long millis) {
    return new SocketTimeoutException(address + " did not answer in " + millis + " ms");
  }

  /**
   * Introduces this node to one that has connected to it.
   *
   * @throws IOException if the other end does not introduce itself, knows no common format, or UCX
   *     does not reach it
   */
  UcxChannel accept(ChannelArrival arrival, Slot slot, TechnologyId endpoint) throws IOException {
    SocketChannel channel = arrival.channel();
    watchdog.expect(channel, settings.handshakeTimeoutMillis);
    try {
      prepare(channel);
      Handshake offer = Handshake.read(Channels.newInputStream(channel));
      slot.answer();
      Introduction introduction =
          introducer.answer(offer, Channels.newOutputStream(channel), endpoint);
      return meet(introduction, channel, arrival.host(), slot);
    } finally {
      watchdog.introduced(channel);
    }
  }

  private static void prepare(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
  }

  /**
   * Makes the connection; the same at both ends.
   *
   * @param slot the place of a connection of others; null if this node has opened it
   */
  private UcxChannel meet(
      Introduction introduction, SocketChannel channel, @Nullable Object host, @Nullable Slot slot)
      throws IOException {
    String peerName = channel.socket().getInetAddress().getHostAddress();
    UcxLink link = new UcxLink(fabric, Meeting.newToken());
    boolean met = false;
    try {
      byte[] heard = Meeting.prove(link, channel, secret, slot == null);
      if (slot != null) {
        slot.keep(introduction.messages);
      }
      SideChannel side = Meeting.connect(link, channel, heard);
      UcxChannel connection = new UcxChannel(introduction, link, side, watch, peerName, host);
      watch.add(channel, connection);
      met = true;
      return connection;
    } finally {
      if (!met) {
        link.close();
      }
    }
  }
}
