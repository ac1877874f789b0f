package io.karmi.messaging;

import io.karmi.guard.Ledger;
import io.karmi.guard.PeerLog;
import io.karmi.messaging.channel.ArrivedGraph;
import io.karmi.messaging.channel.ChannelEnd;
import io.karmi.messaging.channel.ChannelGraph;
import io.karmi.messaging.channel.ChannelLimits;
import io.karmi.messaging.channel.ChannelMessage;
import io.karmi.messaging.channel.ChannelUpkeep;
import io.karmi.messaging.channel.GraphFailure;
import io.karmi.messaging.link.MessagingLog;
import io.karmi.settings.Settings;
import io.karmi.technology.Pipe;
import io.karmi.technology.RuntimeThread;
import io.karmi.technology.RuntimeThreads;
import io.karmi.technology.Workers;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.channels.ClosedChannelException;
import java.rmi.ConnectException;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The channels of a node that go by messages, and the names under which it takes them. Thread-safe.
 */
final class MessageChannels {
  private static final System.Logger LOG = MessagingLog.LOG;

  /** Threads that wait for other nodes on behalf of channels. */
  private static final int WAITING_THREADS = 8;

  /** Time to tell the other ends that this node ends. */
  private static final long CLOSING_MILLIS = 1_000;

  final NodeMessaging messaging;
  final ChannelLimits limits;
  final int windowBytes;
  final ChannelUpkeep upkeep = new ChannelUpkeep();
  private final Workers workers = new Workers("KaRMI Channels", WAITING_THREADS);
  private final SecureRandom numbers = new SecureRandom();
  private final ConcurrentMap<String, ChannelHandler> handlers = new ConcurrentHashMap<>();
  private final ConcurrentMap<Long, MessageWay> ways = new ConcurrentHashMap<>();

  /** Places for channels that other nodes open; one host has seven eighths of them. */
  private final Ledger places;

  private volatile boolean closed;

  MessageChannels(NodeMessaging messaging, MessagingSettings settings) {
    this.messaging = messaging;
    limits = ChannelLimits.of(settings);
    windowBytes = settings.windowBytes;
    places =
        new Ledger(
            Settings.MAX_ACCEPTED_LINKS.name(), settings.maximumAccepted, Ledger.Weakest.NONE);
  }

  Registration add(String name, ChannelHandler handler) {
    ChannelHandler own = handler::handle; // one for each registration
    handlers.put(name, own);
    return () -> handlers.remove(name, own);
  }

  ObjectChannel open(Address to, String name) throws RemoteException {
    MessageWay way = enter(to, null, () -> {});
    boolean opened = false;
    try {
      CompletableFuture<Object> answer =
          messaging.request(
              new ChannelMessage.Open(way.number, name, messaging.address(), windowBytes), to);
      if (!(await(answer, to) instanceof ChannelMessage.Opened taken)) {
        throw new RemoteException(to + " has not answered with a channel");
      }
      way.begin(taken.channel(), taken.windowBytes());
      opened = true;
      return new GraphChannel(way.channel);
    } finally {
      if (!opened) {
        ways.remove(way.number);
      }
    }
  }

  private @Nullable Object await(CompletableFuture<Object> answer, Address to)
      throws RemoteException {
    try {
      return limits.answerMillis() == 0
          ? answer.get()
          : answer.get(limits.answerMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RemoteException("interrupted while a channel to " + to + " was opened", e);
    } catch (TimeoutException e) {
      throw new ConnectException(
          to + " has not taken a channel in " + limits.answerMillis() + " ms", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof NoSuchObjectException none) {
        throw none;
      }
      throw e.getCause() instanceof RemoteException remote
          ? remote
          : new RemoteException("no channel to " + to, e.getCause());
    } finally {
      answer.cancel(false);
    }
  }

  private MessageWay enter(Address to, @Nullable Address back, Runnable whenClosed)
      throws ConnectException {
    long number = numbers.nextLong();
    while (number == 0 || ways.containsKey(number)) {
      number = numbers.nextLong();
    }
    long chosen = number;
    MessageWay way =
        new MessageWay(
            this,
            chosen,
            to,
            back,
            () -> {
              if (ways.remove(chosen) != null) {
                whenClosed.run();
              }
            });
    ways.put(chosen, way);
    if (closed) {
      ways.remove(chosen);
      throw new ConnectException("messaging of this node is closed");
    }
    return way;
  }

  /** Another node opens a channel. */
  ChannelMessage.Opened take(ChannelMessage.Open request, Address from) throws RemoteException {
    String name = request.name();
    if (!(request.back() instanceof Address)) {
      throw new RemoteException("the request for a channel has no address");
    }
    ChannelHandler handler = name == null ? null : handlers.get(name);
    if (handler == null) {
      throw new NoSuchObjectException("no channel of the name " + name + " is taken here");
    }
    Pipe pipe = RuntimeThread.sender();
    String host = pipe == null ? "" : pipe.technology() + ' ' + pipe.peerName();
    if (places.take(host, 1) != Ledger.Outcome.TAKEN) {
      throw new RemoteException("this node has as many channels as it takes: " + places.most());
    }
    AtomicInteger users = new AtomicInteger(2); // the handler and the channel
    Runnable leave =
        () -> {
          if (users.decrementAndGet() == 0) {
            places.giveBack(host, 1);
          }
        };
    MessageWay way;
    try {
      way = enter(from, (Address) request.back(), leave);
    } catch (ConnectException | RuntimeException e) {
      places.giveBack(host, 1);
      throw e;
    }
    boolean begun = false;
    try {
      way.heardFrom(from);
      way.begin(request.channel(), request.windowBytes());
      RuntimeThreads.start(
          "KaRMI Channel " + name, () -> handle(handler, name, way, host, leave), true);
      begun = true;
    } finally {
      if (!begun) {
        way.close();
        leave.run();
      }
    }
    return new ChannelMessage.Opened(way.number, windowBytes);
  }

  private static void handle(
      ChannelHandler handler, String name, MessageWay way, String host, Runnable whenDone) {
    boolean failed = true;
    try {
      handler.handle(new GraphChannel(way.channel));
      failed = false;
    } catch (EOFException | LinkLostException | ClosedChannelException e) {
      LOG.log(System.Logger.Level.DEBUG, "the handler of a channel " + name + " has ended", e);
    } catch (Exception | Error e) {
      PeerLog.warn(LOG, host, "the handler of a channel " + name + " has failed", e);
    } finally {
      whenDone.run();
    }
    try {
      if (failed) {
        way.channel.close();
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "a channel " + name + " cannot be closed", e);
    }
  }

  void arrived(ChannelGraph graph, Address from) {
    MessageWay way = ways.get(graph.channel);
    if (way != null) {
      way.heardFrom(from);
      guard(
          way,
          () -> {
            if (graph.bytes() == 0) {
              throw new StreamCorruptedException(
                  "graph " + graph.number + " was not sent in order");
            }
            way.channel.arrived(
                graph.number,
                graph.known,
                graph.awaited,
                new ArrivedGraph(graph.graph, graph.bytes(), graph.memoryBytes()));
          });
    }
  }

  /** Another message of a channel has come. */
  void arrived(ChannelMessage message, Address from) {
    MessageWay way = ways.get(message.channel());
    if (way == null) {
      if (message instanceof ChannelMessage.Ask ask) {
        tellGone(ask.from(), from);
      }
      return;
    }
    way.heardFrom(from);
    guard(way, () -> dispatch(way.channel, message));
  }

  /** Tells an end that its channel is not known here; it asks again if it still is there. */
  private void tellGone(long number, Address to) {
    try {
      messaging.trySend(new ChannelMessage.Gone(number), to);
    } catch (RemoteException e) {
      LOG.log(System.Logger.Level.DEBUG, "the end of a channel cannot be told", e);
    }
  }

  private static void dispatch(ChannelEnd channel, ChannelMessage message) throws IOException {
    if (message instanceof ChannelMessage.Ask ask) {
      channel.asked(ask.sent(), ask.inOrder(), ask.known());
    } else if (message instanceof ChannelMessage.State state) {
      channel.told(state.state());
    } else if (message instanceof ChannelMessage.End end) {
      if (end.state() != null) {
        channel.told(end.state().state()); // what was read there is acknowledged
      }
      channel.ended(end.sent());
    } else {
      channel.lost(new EOFException("the other end does not know the channel any more"));
    }
  }

  private interface Handling {
    void run() throws IOException;
  }

  /** Ends a channel whose other end has broken the rules. */
  private static void guard(MessageWay way, Handling handling) {
    try {
      handling.run();
    } catch (IOException | RuntimeException e) {
      way.channel.lost(e);
    }
  }

  /** A message from an address was dropped: it may have had a graph. */
  void dropped(Address from, GraphFailure why) {
    for (MessageWay way : ways.values()) {
      if (way.isOver(from.destination())) {
        way.channel.dropped(why);
      }
    }
  }

  /** A link was lost that has led to these destinations. */
  void lost(Set<Object> destinations, Throwable because) {
    for (MessageWay way : ways.values()) {
      if (destinations.stream().anyMatch(way::isOver)) {
        way.channel.lost(because);
      }
    }
  }

  /** Ends all channels, and tells the other ends where there is room for it. */
  void close() {
    closed = true;
    List<MessageWay> open = List.copyOf(ways.values());
    CountDownLatch told = new CountDownLatch(open.size());
    for (MessageWay way : open) {
      workers.execute(
          () -> {
            try {
              way.sendEnd();
            } catch (IOException e) {
              LOG.log(System.Logger.Level.DEBUG, "the end of a channel cannot be told", e);
            } finally {
              told.countDown();
            }
          });
    }
    boolean interrupted = false;
    try {
      told.await(CLOSING_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    end("messaging of this node was closed");
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends all channels at this end. */
  void end(String why) {
    closed = true;
    for (MessageWay way : ways.values()) {
      way.channel.lost(new EOFException(why));
    }
  }
}
