package io.karmi.reference;

import io.karmi.dgc.Collector;
import io.karmi.dgc.Messenger;
import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallInput;
import io.karmi.marshal.CallOutput;
import io.karmi.technology.InCall;
import io.karmi.technology.ThrownByCallee;
import java.io.IOException;
import java.rmi.ServerException;
import java.rmi.UnmarshalException;

/**
 * Messages between collectors, as calls of a well-known object: numbers only, so that no class is
 * loaded and no filter is needed.
 */
final class CollectorCalls implements Messenger {
  /** The collector's only method. The hash is of no Java method: its first bytes spell KaRMIDGC. */
  private static final RemoteInterface METHODS =
      RemoteInterface.ofHash("receive([J)J", 0x4B61524D49444743L);

  /** More than any collector sends; bounds what a stranger can make this node allocate. */
  private static final int MAXIMUM_NUMBERS = 1 << 16;

  private final Node node;

  CollectorCalls(Node node) {
    this.node = node;
  }

  @Override
  public long send(ObjectId anyObject, long[] message) throws IOException {
    ObjectId target = anyObject.sibling(ObjectId.COLLECTOR);
    try {
      return node.route(target).longApplicationCall(target, METHODS, 0, new Numbers(message), null);
    } catch (ThrownByCallee e) {
      throw new IOException("the collector of node " + anyObject.node() + " failed", e.getCause());
    }
  }

  /** Answers a message that has come in. */
  void receive(InCall call, Collector collector) throws IOException {
    CallInput in = call.in();
    try {
      if (call.callerInterface().methodHash(call.methodNumber()) != METHODS.methodHash(0)) {
        throw new UnmarshalException("a collector has only one method");
      }
      int count = in.buffer.readVarInt();
      if (count < 0 || count > MAXIMUM_NUMBERS) {
        throw new UnmarshalException("collector message of " + count + " numbers");
      }
      in.buffer.require(count * Long.BYTES);
      long[] message = new long[count];
      in.buffer.readLongs(message, 0, count);
      in.endArguments();
      long answer = collector.receive(call.caller(), message);
      call.out().beginResult();
      call.out().writeLong(answer);
    } catch (UnmarshalException | IllegalArgumentException e) {
      in.abandonMessage();
      ServerRef.replyThrown(call, new ServerException("collector message refused", e));
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
