package io.karmi.messaging;

import io.karmi.messaging.channel.ChannelEnd;
import io.karmi.messaging.channel.ChannelGraph;
import io.karmi.messaging.channel.ChannelMessage;
import io.karmi.messaging.channel.ChannelUpkeep;
import io.karmi.messaging.channel.ChannelWay;
import io.karmi.technology.Pipe;
import io.karmi.technology.RuntimeThread;
import java.io.IOException;
import java.io.Serializable;
import java.rmi.ConnectException;
import java.rmi.MarshalException;
import java.rmi.RemoteException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The way of a channel by messages: graphs are ordered messages. Thread-safe.
 *
 * <p>What is told and asked goes as messages in any order, by a thread that does not wait for room:
 * it may be the one that handles the other end's messages. Where there is none the {@link
 * ChannelUpkeep} tries again.
 */
final class MessageWay implements ChannelWay, ChannelUpkeep.Kept {
  private final NodeMessaging messaging;
  private final ChannelUpkeep upkeep;
  private final Runnable whenClosed;
  final ChannelEnd channel;

  /** The number of the channel at this end. */
  final long number;

  /** Its number at the other end; 0 until that is known. */
  private volatile long peer;

  /** Where messages go, and where else if that leads nowhere any more. */
  private volatile Address to;

  private final @Nullable Address back;

  /** The address from which the other end's messages come, once they do. */
  private volatile @Nullable Address from;

  private final AtomicBoolean tell = new AtomicBoolean();
  private final AtomicBoolean ask = new AtomicBoolean();
  private final AtomicBoolean askInOrder = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Whether it is closed as soon as nothing is left to be told. */
  private volatile boolean over;

  /**
   * @param to the node, or the sender of the request for the channel
   * @param back where else it can be reached, or null
   */
  MessageWay(
      MessageChannels owner, long number, Address to, @Nullable Address back, Runnable whenClosed) {
    messaging = owner.messaging;
    upkeep = owner.upkeep;
    this.whenClosed = whenClosed;
    this.number = number;
    this.to = to;
    this.back = back;
    channel =
        new ChannelEnd(
            this,
            owner.limits,
            MessageWay::hostOfSender,
            owner.windowBytes,
            LinkLostException::new);
  }

  private static @Nullable Object hostOfSender() {
    Pipe pipe = RuntimeThread.sender();
    return pipe == null ? null : pipe.host();
  }

  /** The other end has taken the channel, under this number and with this window. */
  void begin(long peerNumber, int windowBytes) throws RemoteException {
    if (windowBytes <= 0) {
      throw new RemoteException(peer() + " has a window of " + windowBytes + " bytes");
    }
    peer = peerNumber;
    channel.begin(windowBytes);
    upkeep.add(this);
    if (tell.get() || ask.get()) {
      upkeep.soon();
    }
  }

  @Override
  public int sendGraph(long graphNumber, boolean awaited, @Nullable Object graph)
      throws IOException {
    ChannelGraph message = new ChannelGraph(peer, graphNumber, channel.known(), awaited, graph);
    sendInOrder(message);
    return message.bytes();
  }

  @Override
  public void sendEnd() throws IOException {
    sendInOrder(new ChannelMessage.End(peer, channel.sent(), stateMessage()));
  }

  private void sendInOrder(Serializable message) throws IOException {
    try {
      Address way = to;
      try {
        messaging.sendOrdered(message, way);
      } catch (ConnectException e) { // nothing was sent
        sendByOtherWay(message, way, e);
      }
    } catch (MarshalException e) {
      throw e;
    } catch (RemoteException e) {
      channel.lost(e);
      throw channel.loss(e);
    }
  }

  /**
   * Sends to another address of the other end, which is used from then on: that of a sender ends
   * with its link, and a newer sender's may have ended as well.
   */
  private void sendByOtherWay(Serializable message, Address ended, ConnectException problem)
      throws RemoteException {
    for (Address other : new @Nullable Address[] {from, back}) {
      if (other != null && other != ended) {
        try {
          messaging.sendOrdered(message, other);
          to = other;
          return;
        } catch (ConnectException e) {
          problem.addSuppressed(e);
        }
      }
    }
    throw problem;
  }

  @Override
  public void askSoon() {
    ask.set(true);
    trySending();
  }

  @Override
  public void tellSoon() {
    tell.set(true);
    trySending();
  }

  @Override
  public void over() {
    if (!over) {
      tell.set(true); // the program may know of the end before the thread that was told of it tells
      over = true;
    }
    trySending();
  }

  private void trySending() {
    if (keepAsked()) {
      upkeep.soon();
    } else if (over) {
      close();
    }
  }

  /** Sends what is to be told and asked; returns whether something is left. */
  private boolean keepAsked() {
    return !closed.get() && sendAsked();
  }

  private boolean sendAsked() {
    if (peer == 0) {
      return false;
    }
    boolean left = tell.get() && !trySend(tell);
    return ask.get() && !trySend(ask) || left;
  }

  private boolean trySend(AtomicBoolean wanted) {
    if (!wanted.compareAndSet(true, false)) {
      return true;
    }
    try {
      if (sendIfThereIsRoom(wanted)) {
        return true;
      }
      wanted.set(true);
      return false;
    } catch (ConnectException e) {
      wanted.set(true);
      if (goesOnByOtherLink(e)) {
        return trySend(wanted);
      }
    } catch (RemoteException e) {
      channel.lost(e);
    }
    return true;
  }

  private boolean sendIfThereIsRoom(AtomicBoolean wanted) throws RemoteException {
    if (wanted == askInOrder) {
      return messaging.trySendOrdered(question(true), to);
    }
    return messaging.trySend(wanted == tell ? stateMessage() : question(false), to);
  }

  /**
   * Goes on by another link of the other end, if that has come by one. Who has opened the channel
   * comes again: none is opened to where it says that it is, for which this thread would wait.
   */
  private boolean goesOnByOtherLink(ConnectException problem) {
    if (back == null) {
      channel.lost(problem);
      return false;
    }
    Address sender = from;
    boolean other = sender != null && sender != to;
    if (sender != null) {
      to = sender;
    }
    return other;
  }

  private ChannelMessage.State stateMessage() {
    return ChannelMessage.State.of(peer, channel.state());
  }

  private Serializable question(boolean inOrder) {
    return new ChannelMessage.Ask(peer, number, channel.sent(), inOrder, channel.known());
  }

  @Override
  public void askInOrderSoon() {
    askInOrder.set(true);
    upkeep.soon(); // this thread may be sending an ordered message
  }

  @Override
  public boolean keep(long now) {
    if (closed.get()) {
      upkeep.remove(this); // it was lost while it began
      return false;
    }
    String silent = channel.keep(now);
    if (silent != null) {
      channel.lost(new java.net.SocketTimeoutException(silent));
      return false;
    }
    boolean left = keepAsked();
    if (over && !left) {
      close();
    }
    return askInOrder.get() && !trySend(askInOrder) || left;
  }

  /** Something of the other end has come from an address. */
  void heardFrom(Address sender) {
    if (from != sender) {
      from = sender;
    }
  }

  /** Whether messages of the other end come from an address, or go there. */
  boolean isOver(Object destination) {
    Address sender = from;
    return to.destination().equals(destination)
        || sender != null && sender.destination().equals(destination);
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return; // also where the last state cannot be told, by which the channel is lost
    }
    try {
      sendAsked(); // the last state, if there is room
    } finally {
      upkeep.remove(this);
      whenClosed.run();
    }
  }

  @Override
  public String peer() {
    return Objects.requireNonNullElse(back, to).toString();
  }
}
