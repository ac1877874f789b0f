package io.karmi.reference;

import io.karmi.dgc.Collector;
import io.karmi.dgc.Messenger;
import io.karmi.dgc.Sender;
import io.karmi.events.Recorder;
import io.karmi.guard.Ledger;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallInput;
import io.karmi.marshal.CallOutput;
import io.karmi.technology.CallDeadline;
import io.karmi.technology.ConnectionSettings;
import io.karmi.technology.InCall;
import io.karmi.technology.ThrownByCallee;
import java.io.Closeable;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.rmi.ServerException;
import java.rmi.UnmarshalException;
import org.jspecify.annotations.Nullable;

/**
 * Messages between the collectors of one strategy, as calls of a well-known object. They consist of
 * numbers only. What a peer's collector throws is not deserialized, since these calls may go to any
 * node.
 */
final class CollectorCalls implements Messenger {
  /** The method of leases. The hash is of no Java method: its bytes spell KaRMIDGC. */
  private static final long LEASE_HASH = 0x4B61524D49444743L;

  private static final String ANSWERS = "answers of collectors";

  /**
   * Lines by which collectors notice the end of a holder. Their connections give way to no one, so
   * half of all places is left to others. A class of its own: a node that refuses a setting has
   * none, and its number of connections may be what is refused.
   */
  private static final class Lines {
    static final Ledger OF_ALL =
        new Ledger(
            "half of the connections",
            Math.max(1, new ConnectionSettings().maximumConnections / 2),
            Ledger.Weakest.NONE);

    private Lines() {}
  }

  private final HomeNode node;
  private final RemoteInterface method;

  /** Each strategy has a method of its own, whose hash is made from its name. */
  CollectorCalls(HomeNode node, String strategy) {
    this.node = node;
    this.method =
        RemoteInterface.ofHash(
            "receive([J)J", hash(strategy), info -> ObjectInputFilter.Status.REJECTED);
  }

  private static long hash(String strategy) {
    return strategy.equals("lease") ? LEASE_HASH : LEASE_HASH + strategy.hashCode();
  }

  /** True if a call is a message of this strategy. */
  boolean areMeant(InCall call) {
    return call.callerInterface().methodHash(call.methodNumber()) == method.methodHash(0);
  }

  @Override
  public long send(ObjectId anyObject, long[] message, long mostMillis) throws IOException {
    ObjectId target = anyObject.sibling(ObjectId.COLLECTOR);
    Recorder.instance().collectorMessage(target.node().toString(), true, message.length);
    CallDeadline outer = CallDeadline.enter(CallDeadline.in(mostMillis, ANSWERS));
    try {
      return node.route(target)
          .bitsApplicationCall(Long.BYTES, target, method, 0, new Numbers(message), null);
    } catch (ThrownByCallee e) {
      throw failed(target, e);
    } finally {
      CallDeadline.leave(outer);
    }
  }

  @Override
  public Closeable openLine(ObjectId anyObject, long[] message, long mostMillis)
      throws IOException {
    ObjectId target = anyObject.sibling(ObjectId.COLLECTOR);
    CallDeadline outer = CallDeadline.enter(CallDeadline.in(mostMillis, ANSWERS));
    try {
      return node.route(target).openLine(target, method, 0, new Numbers(message));
    } catch (ThrownByCallee e) {
      throw failed(target, e);
    } finally {
      CallDeadline.leave(outer);
    }
  }

  @Override
  public long leftMillis() {
    CallDeadline deadline = CallDeadline.current();
    return deadline == null ? Long.MAX_VALUE : deadline.leftMillis();
  }

  private static IOException failed(ObjectId target, ThrownByCallee e) {
    return new IOException("the collector of node " + target.node() + " failed", e.getCause());
  }

  /** Executes a message that has come in, and replies. */
  void receive(InCall call, Collector collector) throws IOException {
    CallInput in = call.in();
    try {
      int count = in.buffer.readVarInt();
      if (count < 0 || count > MAXIMUM_NUMBERS) {
        throw new UnmarshalException("collector message of " + count + " numbers");
      }
      in.buffer.require(count * Long.BYTES);
      in.buffer.grow((long) count * Long.BYTES);
      long[] message = new long[count];
      in.buffer.readLongs(message, 0, count);
      Recorder.instance().collectorMessage(call.caller().toString(), false, count);
      long answer = collector.receive(new Caller(call), message);
      in.endArguments(); // up to here the message counts, as it may wait for others
      call.out().beginResult();
      call.out().writeLong(answer);
    } catch (UnmarshalException | IllegalArgumentException e) {
      in.abandonMessage();
      Replies.thrown(call, new ServerException("collector message refused", e));
    }
  }

  /** Refuses a message of a strategy that this node does not know. */
  static void refuse(InCall call) throws IOException {
    call.in().abandonMessage();
    Replies.thrown(call, new ServerException("this node has no collector of that strategy"));
  }

  private static final class Caller implements Sender {
    private final InCall call;

    Caller(InCall call) {
      this.call = call;
    }

    @Override
    public NodeId node() {
      return call.caller();
    }

    @Override
    public Object identity() {
      return call.callerIdentity();
    }

    @Override
    public @Nullable Object host() {
      return call.clientHost();
    }

    @Override
    public void whenGone(Runnable action) {
      Object host = host();
      if (Lines.OF_ALL.take(host, 1) != Ledger.Outcome.TAKEN) {
        throw new IllegalArgumentException(
            "no line for another holder of "
                + host
                + ": lines take "
                + Lines.OF_ALL.taken()
                + " of "
                + Lines.OF_ALL.most()
                + " places, those of that host "
                + (host == null ? 0 : Lines.OF_ALL.takenBy(host)));
      }
      call.whenGone(
          () -> {
            Lines.OF_ALL.giveBack(host, 1);
            action.run();
          });
    }
  }

  private static final class Numbers extends Arguments {
    private final long[] numbers;

    Numbers(long[] numbers) {
      this.numbers = numbers;
    }

    @Override
    public void marshal(CallOutput out) throws IOException {
      out.buffer.writeVarInt(numbers.length);
      out.buffer.writeLongs(numbers, 0, numbers.length);
    }
  }
}
