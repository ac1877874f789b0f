package io.karmi.messaging;

import io.karmi.guard.AllocatedBytes;
import io.karmi.guard.PeerLog;
import io.karmi.messaging.channel.GraphFailure;
import io.karmi.messaging.frame.MessageFrame;
import io.karmi.messaging.link.Counts;
import io.karmi.messaging.link.MessagingHost;
import io.karmi.messaging.link.MessagingLog;
import io.karmi.messaging.link.OwedAnswers;
import io.karmi.technology.WatchedCall;
import java.io.Serializable;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.rmi.UnmarshalException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Dispatch of received messages: calls a receiver or an answerer, or completes a request.
 *
 * <p>Thread-safe.
 */
final class Delivery {
  private static final System.Logger LOG = MessagingLog.LOG;

  /** The class of an object whose own text cannot be had, or is too long to be sent. */
  private static final Function<@Nullable Object, String> CLASS_ALONE =
      what -> what == null ? "null" : what.getClass().getName();

  final Registrations<Receiver<Object>> receivers = new Registrations<>();
  final Registrations<Answerer<Object, ?>> answerers = new Registrations<>();
  private final PendingRequests requests;
  private final Counts counts;
  private final MessagingHost host;
  private final BiConsumer<Address, GraphFailure> dropped;

  /**
   * @param dropped told of each message that is dropped, and why
   */
  Delivery(
      PendingRequests requests,
      Counts counts,
      MessagingHost host,
      BiConsumer<Address, GraphFailure> dropped) {
    this.requests = requests;
    this.counts = counts;
    this.host = host;
    this.dropped = dropped;
  }

  /** Handles a message, in a handler's thread, the one that reads, or one that waits for it. */
  void deliver(Link link, Incoming message) {
    counts.received.increment();
    if (message.refused) {
      counts.refused.increment();
    } else if (message.problem != null) {
      counts.unread.increment();
    }
    switch (message.kind) {
      case MessageFrame.MESSAGE:
        receive(link, message);
        break;
      case MessageFrame.REQUEST:
        answer(link, message);
        break;
      default:
        complete(link, message);
    }
  }

  private void receive(Link link, Incoming message) {
    if (message.problem != null) {
      if (!message.refused) { // the authorizer's log says so
        logUnread(link, message.problem);
      }
      dropped.accept(link.address, GraphFailure.of(message.problem, message.problemBytes));
      return;
    }
    Object object = message.object;
    Receiver<Object> receiver = object == null ? null : receivers.find(object.getClass());
    if (object == null || receiver == null) {
      counts.unhandled.increment();
      LOG.log(
          System.Logger.Level.DEBUG,
          "no receiver for {0} from {1}",
          object == null ? "null" : object.getClass().getName(),
          link.address);
      return;
    }
    WatchedCall watched = null;
    Throwable problem = null;
    try {
      watched = watched(link, object, message);
      receiver.receive(object, link.address);
    } catch (Exception | Error e) {
      problem = e;
      counts.failedHandlers.increment();
      warn(link, "the receiver of " + object.getClass().getName() + " has failed", e);
    } finally {
      ended(watched, problem);
    }
  }

  /** Tells interceptors that a message or request is about to be handled; null without any. */
  private @Nullable WatchedCall watched(Link link, Object object, Incoming message) {
    return host.isWatching()
        ? host.came(
            object.getClass(),
            message.kind == MessageFrame.REQUEST,
            link.pipe.peerName(),
            message.header)
        : null;
  }

  private static void ended(@Nullable WatchedCall watched, @Nullable Throwable problem) {
    if (watched != null) {
      watched.ended(problem);
    }
  }

  private static void logUnread(Link link, Throwable problem) {
    warn(link, "a message from " + link.address + " cannot be read, and is dropped", problem);
  }

  /** Warns, unless what this host has sent has caused enough warnings. */
  private static void warn(Link link, String what, Throwable problem) {
    PeerLog.warn(LOG, link.pipe.peerName(), what, problem);
  }

  private void answer(Link link, Incoming message) {
    long number = message.correlation;
    Object request = message.object;
    message.allocatedBefore = AllocatedBytes.ofCurrentThread();
    if (message.problem != null) {
      Exception problem = exception(message.problem);
      fail(
          link,
          number,
          message.refused
              ? problem
              : new UnmarshalException("the request cannot be read there", problem),
          message);
      return;
    }
    Answerer<Object, ?> answerer = request == null ? null : answerers.find(request.getClass());
    if (request == null || answerer == null) {
      counts.unhandled.increment();
      String type = request == null ? "null" : request.getClass().getName();
      fail(link, number, new NoSuchObjectException("no answerer for " + type), message);
      return;
    }
    link.answers.incrementAndGet();
    WatchedCall watched = null;
    boolean pending = false;
    try {
      watched = watched(link, request, message);
      Object answer = answerer.answer(request, link.address);
      if (answer instanceof CompletionStage<?> stage) {
        pending = true;
        answerLater(link, message, stage, watched);
      } else {
        ended(watched, null);
        watched = null;
        send(link, number, answer, message);
      }
    } catch (Exception | Error e) {
      ended(watched, e);
      fail(link, number, e, message);
    } finally {
      if (!pending) {
        link.answers.decrementAndGet();
      }
    }
  }

  private void answerLater(
      Link link, Incoming message, CompletionStage<?> stage, @Nullable WatchedCall watched) {
    if (watched != null) {
      watched.suspended();
    }
    long number = message.correlation;
    Thread handler = Thread.currentThread();
    boolean[] handled = {false}; // of this thread
    stage.whenComplete(
        (result, problem) -> {
          Throwable cause = problem instanceof CompletionException ? problem.getCause() : null;
          boolean atOnce = Thread.currentThread() == handler && !handled[0];
          Incoming request = atOnce ? message : null;
          end(link, number, result, cause != null ? cause : problem, watched, request);
        });
    handled[0] = true;
  }

  private void end(
      Link link,
      long number,
      @Nullable Object result,
      @Nullable Throwable problem,
      @Nullable WatchedCall watched,
      @Nullable Incoming request) {
    try {
      ended(watched, problem);
      if (problem == null) {
        send(link, number, result, request);
      } else {
        fail(link, number, problem, request);
      }
    } catch (RuntimeException | Error e) {
      drop(link, e); // nobody looks at what is thrown here
    } finally {
      link.answers.decrementAndGet();
    }
  }

  private void send(Link link, long number, @Nullable Object answer, @Nullable Incoming request) {
    if (answer != null && !(answer instanceof Serializable)) {
      fail(
          link, number, new java.io.NotSerializableException(answer.getClass().getName()), request);
    } else {
      reply(link, MessageFrame.ANSWER, number, answer, request);
    }
  }

  private void fail(Link link, long number, Throwable why, @Nullable Incoming request) {
    reply(link, MessageFrame.FAILURE, number, why, request);
  }

  /**
   * Sends an answer: by this thread, unless there is no room and another one waits for that, or
   * this one is the program's.
   *
   * @param request what is answered, by the thread that handles it; null if it counts as processed
   */
  private void reply(
      Link link, int kind, long number, @Nullable Object what, @Nullable Incoming request) {
    OwedAnswers owed = link.owed;
    if (request != null && owed.enter()) {
      try {
        trySend(link, kind, number, what, true);
      } finally {
        owed.leave();
      }
    } else if ((owed.hasAny() || !trySend(link, kind, number, what, false))
        && !owe(link, kind, number, what, request)) {
      RemoteException why = noMemory(link, what);
      if (!owe(link, MessageFrame.FAILURE, number, why, request)) {
        link.giveWay(String.valueOf(why.getMessage()));
      }
    }
  }

  /**
   * Has another thread send an answer.
   *
   * @return false if there is no memory for it to wait
   */
  private boolean owe(
      Link link, int kind, long number, @Nullable Object what, @Nullable Incoming request) {
    int bytes = request == null ? 0 : request.frameBytes;
    boolean references = request != null && request.bringsReferences;
    link.answers.incrementAndGet();
    boolean owed =
        link.owed.add(
            () -> {
              try {
                trySend(link, kind, number, what, true);
              } finally {
                link.answers.decrementAndGet();
                link.processed(bytes, references);
              }
            },
            request == null ? 0 : AllocatedBytes.since(request.allocatedBefore, 0),
            () -> link.sender.memoryOf(what),
            request != null);
    if (!owed) {
      link.answers.decrementAndGet();
    } else if (request != null) {
      request.owesAnswer = true;
    }
    return owed;
  }

  private static RemoteException noMemory(Link link, @Nullable Object answer) {
    return new RemoteException(
        "no memory for an answer of "
            + (answer == null ? "null" : answer.getClass().getName())
            + " to wait until others were taken: of messages that wait "
            + link.untaken
            + "; ask for fewer at a time, or raise that there");
  }

  /**
   * Sends an answer, or why there is none; where that cannot be sent, its text.
   *
   * @return false if it would have to wait, and may not
   */
  private boolean trySend(
      Link link, int kind, long number, @Nullable Object what, boolean mayWait) {
    try {
      return link.sender.send(what, kind, number, mayWait) == LinkSender.Sent.YES;
    } catch (RemoteException | RuntimeException | Error e) {
      if (kind == MessageFrame.ANSWER) {
        return trySend(link, MessageFrame.FAILURE, number, e, mayWait);
      }
      return trySendText(link, number, String::valueOf, what, mayWait);
    }
  }

  /**
   * Sends a text about what cannot be sent: all that it says, else its class. Ends the link if not
   * even that can be sent, as the other end waits.
   */
  private boolean trySendText(
      Link link,
      long number,
      Function<@Nullable Object, String> text,
      @Nullable Object what,
      boolean mayWait) {
    if (link.isLost()) {
      return true; // the other end knows, or is gone
    }
    try {
      RemoteException why = new RemoteException("no answer can be sent: " + text.apply(what));
      return link.sender.send(why, MessageFrame.FAILURE, number, mayWait) == LinkSender.Sent.YES;
    } catch (RemoteException | RuntimeException | Error e) {
      if (text != CLASS_ALONE) {
        return trySendText(link, number, CLASS_ALONE, what, mayWait);
      }
      drop(link, e);
      return true;
    }
  }

  /** Ends a link over which something is not answered: the other end is not to wait for that. */
  private static void drop(Link link, Throwable because) {
    link.drop(because);
    warn(link, "no answer to " + link.address, because);
  }

  /** Whether an answer with this number is still wanted. */
  boolean awaits(long number, Link link) {
    return requests.find(number, link) != null;
  }

  private void complete(Link link, Incoming message) {
    PendingRequests.Pending request = requests.find(message.correlation, link);
    if (request == null) {
      return; // too late, cancelled, or never asked
    }
    if (message.problem != null) {
      request.completeExceptionally(
          new UnmarshalException(
              "the answer of " + link.address + " cannot be read", exception(message.problem)));
    } else if (message.kind == MessageFrame.ANSWER) {
      request.complete(message.object);
    } else {
      request.completeExceptionally(
          message.object instanceof Throwable
              ? (Throwable) message.object
              : new UnmarshalException(link.address + " has failed with no exception"));
    }
  }

  private static Exception exception(Throwable problem) {
    return problem instanceof Exception
        ? (Exception) problem
        : new java.rmi.ServerError("while an object was read", (Error) problem);
  }
}
