package io.karmi.connection;

import io.karmi.connection.channel.ChannelArrival;
import io.karmi.connection.channel.ChannelListener;
import io.karmi.connection.channel.ChannelListeners;
import io.karmi.connection.channel.ConnectionLog;
import io.karmi.connection.channel.NodeChannel;
import io.karmi.connection.guard.Slot;
import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallInput;
import io.karmi.technology.ConnectionSettings;
import io.karmi.technology.NotConnectedException;
import io.karmi.technology.RuntimeThreads;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.rmi.RemoteException;
import java.rmi.server.RMISocketFactory;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Technology whose ends meet over socket channels that it opens itself. It listens, and serves a
 * channel until the ends have introduced themselves.
 *
 * <p>It is not used where the program decides how calls travel: if it has set a global socket
 * factory, or a security manager. Thread-safe.
 */
public abstract class ChannelTechnology extends ConnectedTechnology {
  private static final @Nullable Class<?> VIRTUAL_THREAD = virtualThread();

  private final String name;
  private final ChannelListeners listeners;
  private final AtomicInteger count = new AtomicInteger();

  /**
   * Makes a technology that does not listen.
   *
   * @param name of the technology, the first half of its UTIDs
   */
  protected ChannelTechnology(String name, UpCall upCall, ConnectionSettings settings) {
    super(upCall, settings);
    this.name = name;
    listeners = new ChannelListeners(() -> openListener(this::start));
  }

  /** Binds a new address. */
  protected abstract ChannelListener openListener(BiConsumer<SocketChannel, TechnologyId> acceptor)
      throws IOException;

  /** A channel that has come in, with its other end's host and name. */
  protected abstract ChannelArrival arrival(SocketChannel channel);

  /**
   * Introduces this node to one that has connected to it.
   *
   * @param slot its place, in which this end {@linkplain Slot#answer answers}
   * @throws IOException if the channel is refused, and to be closed
   */
  protected abstract NodeChannel introduce(ChannelArrival arrival, Slot slot, TechnologyId endpoint)
      throws IOException;

  private static @Nullable Class<?> virtualThread() {
    try {
      return Class.forName("java.lang.VirtualThread", false, null); // its scheduler is not needed
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final TechnologyId listen(int port) throws IOException {
    TechnologyId endpoint = listenFromBegin(port);
    begin(endpoint);
    return endpoint;
  }

  @Override
  public final TechnologyId listenFromBegin(int port) throws IOException {
    if (standsAside()) {
      throw new IOException("the program has sockets or a security manager of its own");
    }
    TechnologyId endpoint = listeners.listenFromBegin(port);
    startWatch();
    return endpoint;
  }

  @Override
  public final void begin(TechnologyId endpoint) {
    listeners.begin(endpoint);
  }

  @Override
  public final void release(TechnologyId endpoint) {
    listeners.release(endpoint);
  }

  @Override
  protected final void closeListeners() {
    listeners.closeAll();
  }

  /** Whether the program has sockets or a security manager of its own. */
  @SuppressWarnings("removal") // there are none any more from JDK 24 on
  protected static boolean standsAside() {
    return RMISocketFactory.getSocketFactory() != null || System.getSecurityManager() != null;
  }

  @Override
  public boolean reaches(TechnologyId id) {
    return super.reaches(id) && !standsAside();
  }

  /**
   * Calls from virtual threads go by the next best technology: waiting here would pin the carrier
   * thread.
   */
  @Override
  protected final CallInput exchange(
      ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
      throws RemoteException {
    if (VIRTUAL_THREAD != null
        && Thread.currentThread().getClass() == VIRTUAL_THREAD
        && alternatives().exist(this, target)) {
      throw new NotConnectedException(way(target), null);
    }
    return super.exchange(target, type, methodNumber, arguments);
  }

  /** Hands a channel that has come in to a thread of its own, or refuses it. */
  private void start(SocketChannel channel, TechnologyId endpoint) {
    boolean started = false;
    try {
      if (!standsAside()) {
        ChannelArrival arrival = arrival(channel);
        Slot slot = limit().enter(arrival);
        if (slot != null) {
          startEntered(arrival, slot, endpoint);
        }
        started = true;
      }
    } finally {
      if (!started) {
        closeQuietly(channel);
      }
    }
  }

  private void startEntered(ChannelArrival arrival, Slot slot, TechnologyId endpoint) {
    boolean started = false;
    try {
      String threadName =
          "KaRMI "
              + name.toUpperCase(Locale.ROOT)
              + " Connection("
              + count.incrementAndGet()
              + ")-"
              + arrival.peerName();
      RuntimeThreads.start(threadName, () -> accept(arrival, slot, endpoint), true);
      started = true;
    } finally {
      if (!started) {
        slot.giveBack();
      }
    }
  }

  /**
   * Serves a channel that has come in and was admitted, until it ends or goes on in another thread.
   * Runs in the connection's thread.
   */
  private void accept(ChannelArrival arrival, Slot slot, TechnologyId endpoint) {
    NodeChannel channel = null;
    try {
      channel = introduce(arrival, slot, endpoint);
    } catch (IOException e) {
      ConnectionLog.LOG.log(System.Logger.Level.DEBUG, "connection refused by " + name, e);
    } finally {
      if (channel == null) {
        limit().dismiss(arrival, slot);
      }
    }
    if (channel != null) {
      serveUntilLost(channel, slot);
    }
  }

  /** All is given back by the time that an error comes here. */
  private void serveUntilLost(NodeChannel channel, Slot slot) {
    try {
      serveAccepted(channel, slot);
    } catch (InternalError e) {
      ConnectionLog.ended(channel.peerName(), channel.lossOrThrow(e));
    }
  }

  private static void closeQuietly(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      ConnectionLog.LOG.log(System.Logger.Level.DEBUG, "closing a channel failed", e);
    }
  }
}
