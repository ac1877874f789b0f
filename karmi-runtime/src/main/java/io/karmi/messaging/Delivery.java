package io.karmi.messaging;

import java.io.Serializable;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.rmi.UnmarshalException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Dispatch of received messages: calls a receiver or an answerer, or completes a request.
 *
 * <p>Thread-safe.
 */
final class Delivery {
  private static final System.Logger LOG = MessagingLog.LOG;

  final Registrations<Receiver<Object>> receivers = new Registrations<>();
  final Registrations<Answerer<Object, ?>> answerers = new Registrations<>();
  private final PendingRequests requests;
  private final Counts counts;

  Delivery(PendingRequests requests, Counts counts) {
    this.requests = requests;
    this.counts = counts;
  }

  /** Handles a message, in the thread of a handler. */
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
          link.address());
      return;
    }
    try {
      receiver.receive(object, link.address());
    } catch (Exception | Error e) {
      counts.failedHandlers.increment();
      LOG.log(
          System.Logger.Level.WARNING,
          "the receiver of " + object.getClass().getName() + " has failed",
          e);
    }
  }

  /** Warns of the first one of a link, the second, the fourth and so on: a log is not endless. */
  private static void logUnread(Link link, Throwable problem) {
    int count = link.countUnread();
    LOG.log(
        Integer.bitCount(count) == 1 ? System.Logger.Level.WARNING : System.Logger.Level.DEBUG,
        "a message from "
            + link.address()
            + " cannot be read, and is dropped; it is number "
            + count
            + " of this connection",
        problem);
  }

  private void answer(Link link, Incoming message) {
    long number = message.correlation;
    Object request = message.object;
    if (message.problem != null) {
      Exception problem = exception(message.problem);
      fail(
          link,
          number,
          message.refused
              ? problem
              : new UnmarshalException("the request cannot be read there", problem));
      return;
    }
    Answerer<Object, ?> answerer = request == null ? null : answerers.find(request.getClass());
    if (request == null || answerer == null) {
      counts.unhandled.increment();
      String type = request == null ? "null" : request.getClass().getName();
      fail(link, number, new NoSuchObjectException("no answerer for " + type));
      return;
    }
    link.answerBegins();
    boolean pending = false;
    try {
      Object answer = answerer.answer(request, link.address());
      if (answer instanceof CompletionStage<?> stage) {
        pending = true;
        stage.whenComplete((result, problem) -> end(link, number, result, problem));
      } else {
        send(link, number, answer);
      }
    } catch (Exception | Error e) {
      fail(link, number, e);
    } finally {
      if (!pending) {
        link.answerEnds();
      }
    }
  }

  private void end(Link link, long number, @Nullable Object result, @Nullable Throwable problem) {
    try {
      if (problem == null) {
        send(link, number, result);
      } else {
        Throwable cause = problem.getCause();
        fail(
            link,
            number,
            problem instanceof CompletionException && cause != null ? cause : problem);
      }
    } finally {
      link.answerEnds();
    }
  }

  private void send(Link link, long number, @Nullable Object answer) {
    if (answer != null && !(answer instanceof Serializable)) {
      fail(link, number, new java.io.NotSerializableException(answer.getClass().getName()));
      return;
    }
    try {
      link.send(answer, MessageFrame.ANSWER, number, false, true);
    } catch (RemoteException | RuntimeException | Error e) {
      fail(link, number, e);
    }
  }

  /** Sends why there is no answer; where that cannot be sent, its text. */
  private void fail(Link link, long number, Throwable why) {
    try {
      link.send(why, MessageFrame.FAILURE, number, false, true);
    } catch (RemoteException | RuntimeException | Error e) {
      if (link.isLost()) {
        return; // the other end knows, or is gone
      }
      try {
        RemoteException text = new RemoteException("no answer can be sent: " + why);
        link.send(text, MessageFrame.FAILURE, number, false, true);
      } catch (RemoteException | RuntimeException | Error again) {
        LOG.log(System.Logger.Level.WARNING, "no answer to " + link.address(), again);
      }
    }
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
              "the answer of " + link.address() + " cannot be read", exception(message.problem)));
    } else if (message.kind == MessageFrame.ANSWER) {
      request.complete(message.object);
    } else {
      request.completeExceptionally(
          message.object instanceof Throwable
              ? (Throwable) message.object
              : new UnmarshalException(link.address() + " has failed with no exception"));
    }
  }

  private static Exception exception(Throwable problem) {
    return problem instanceof Exception
        ? (Exception) problem
        : new java.rmi.ServerError("while an object was read", (Error) problem);
  }
}
