package io.karmi.uds;

import io.karmi.connection.channel.Handshake;
import io.karmi.connection.channel.Introducer;
import io.karmi.connection.channel.Introduction;
import io.karmi.connection.channel.NodeChannel;
import io.karmi.connection.guard.Slot;
import io.karmi.connection.guard.Watchdog;
import io.karmi.id.TechnologyId;
import io.karmi.technology.CallDeadline;
import io.karmi.technology.ConnectionSettings;
import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.ConnectIOException;
import java.rmi.RemoteException;
import org.jspecify.annotations.Nullable;

/** Connector over Unix-domain sockets: opens connections, at either end, within the deadlines. */
final class UdsConnector {
  private final ConnectionSettings settings;
  private final Watchdog watchdog;
  private final Introducer introducer;
  private final LocalTechnology technology;
  private final OwnHost host = new OwnHost();

  UdsConnector(
      ConnectionSettings settings,
      Watchdog watchdog,
      Introducer introducer,
      LocalTechnology technology) {
    this.technology = technology;
    this.settings = settings;
    this.watchdog = watchdog;
    this.introducer = introducer;
  }

  /** The host of both ends, as callees see it. */
  String host() {
    return host.address();
  }

  /**
   * Opens a connection to the process that listens at a socket. An interrupt meanwhile, which would
   * close the channel, ends no attempt: the next one begins.
   *
   * @throws RemoteException if there is none, or it is another user's
   */
  NodeChannel connect(Path socket, boolean messages) throws RemoteException {
    boolean interrupted = Thread.interrupted(); // an interrupted thread could open no channel
    try {
      for (; ; ) {
        try {
          return open(socket, messages);
        } catch (ClosedChannelException e) {
          if (!Thread.interrupted()) {
            throw e;
          }
          interrupted = true; // whether the call goes on is decided where all interrupts are
        }
      }
    } catch (RemoteException e) {
      throw e;
    } catch (SocketException e) {
      if (e instanceof ConnectException || Files.notExists(socket)) { // it has just been removed
        throw new java.rmi.ConnectException("no process listens at " + socket, e);
      }
      throw new ConnectIOException("no connection to " + socket, e);
    } catch (IOException e) {
      throw new ConnectIOException("no connection to " + socket, e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private NodeChannel open(Path socket, boolean messages) throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    long connectMillis = CallDeadline.limited(settings.connectTimeoutMillis);
    watchdog.expect(channel, connectMillis);
    Selector selector = null;
    boolean open = false;
    try {
      channel.connect(UnixDomainSocketAddress.of(socket));
      checkInTime(channel, socket, connectMillis);
      selector = Selector.open();
      OwnUser.check(channel);
      long handshakeMillis = CallDeadline.limited(settings.handshakeTimeoutMillis);
      watchdog.expect(channel, handshakeMillis);
      introducer.offer(Channels.newOutputStream(channel), socket.toString(), messages);
      String peerName = host.address();
      technology.prepareToOpen();
      Handshake answer = Handshake.read(Channels.newInputStream(channel));
      Introduction introduction = introducer.agree(answer, socket.toString(), messages);
      NodeChannel connection = technology.opened(introduction, channel, selector, peerName);
      checkInTime(channel, socket, handshakeMillis);
      open = true;
      return connection;
    } finally {
      if (!open) {
        watchdog.isOpen(channel, 0);
        closeQuietly(channel);
        closeQuietly(selector);
      }
    }
  }

  private void checkInTime(SocketChannel channel, Path socket, long millis) throws IOException {
    if (!watchdog.isOpen(channel, millis)) {
      throw new SocketTimeoutException(socket + " did not answer in " + millis + " ms");
    }
  }

  /**
   * Introduces this node to one that has connected to it.
   *
   * @throws IOException if the other end does not introduce itself, is another user's, or knows no
   *     common format
   */
  NodeChannel accept(SocketChannel channel, Slot slot, TechnologyId endpoint) throws IOException {
    watchdog.expect(channel, settings.handshakeTimeoutMillis);
    Selector selector = null;
    boolean accepted = false;
    try {
      OwnUser.check(channel);
      Handshake offer = Handshake.read(Channels.newInputStream(channel));
      selector = Selector.open(); // files may be short: before the other end relies on this one
      technology.answering(slot, offer.isForMessages());
      Introduction introduction =
          introducer.answer(offer, Channels.newOutputStream(channel), endpoint);
      NodeChannel connection =
          technology.accepted(introduction, channel, selector, host.address(), slot);
      accepted = true;
      return connection;
    } finally {
      watchdog.introduced(channel);
      if (!accepted) {
        closeQuietly(selector);
      }
    }
  }

  static void closeQuietly(@Nullable Closeable channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      Uds.LOG.log(System.Logger.Level.DEBUG, "closing a channel failed", e);
    }
  }
}
