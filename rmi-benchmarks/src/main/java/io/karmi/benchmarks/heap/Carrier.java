package io.karmi.benchmarks.heap;

import io.karmi.benchmarks.measure.ProcessCounters;
import io.karmi.benchmarks.serialization.Codec;
import io.karmi.benchmarks.serialization.SerializationStack;
import io.karmi.messaging.ObjectChannel;
import io.karmi.messaging.SendHandle;
import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaObjectOutputStream;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.Socket;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection that carries objects both ways. One thread may send while another one
 * receives.
 */
abstract class Carrier {
  /** Name of the way of {@link ObjectChannel#over}. */
  static final String CHANNEL = "channel";

  /** The same, where the elements of an array are sent without it. */
  static final String ELEMENTS = "elements";

  /** Begins the name of the way of a UKA stream; a number of bytes follows. */
  static final String STREAM = "stream-";

  private static final int BUFFER_BYTES = 1 << 16;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Whether {@link #objectNanos} and {@link #wireNanos} are counted, where they can be. */
  boolean isTimed;

  /** Processor time of the calling threads for objects from and into bytes. */
  long objectNanos;

  /** Processor time of the calling threads for bytes to and from the network. */
  long wireNanos;

  /** The way of this name over a socket. */
  static Carrier over(Socket socket, String name) throws Exception {
    socket.setTcpNoDelay(true);
    if (name.equals(CHANNEL) || name.equals(ELEMENTS)) {
      return new OfChannel(ObjectChannel.over(socket), true, name.equals(ELEMENTS));
    }
    return name.startsWith(STREAM)
        ? new OfStream(socket, Integer.parseInt(name.substring(STREAM.length())))
        : new OfCodec(socket, SerializationStack.valueOf(name.toUpperCase(Locale.ROOT)));
  }

  /** Sends a graph; does not wait for the other end. */
  abstract void send(@Nullable Object graph) throws Exception;

  /** The next graph. */
  abstract @Nullable Object receive() throws Exception;

  /** Waits until the other end has called {@link #acknowledge}. */
  void await() throws Exception {
    receive();
  }

  /** Tells the other end that all it has sent has come. */
  void acknowledge() throws Exception {
    send(null);
  }

  /** Sends a request, and waits for the answer. */
  @Nullable Object ask(Object request) throws Exception {
    send(request);
    return receive();
  }

  /** Bytes that were sent so far; {@code -1} where they are not counted. */
  long sentBytes() {
    return ProcessCounters.sentBytes();
  }

  /** Processor time of the calling thread. */
  private long now() {
    return isTimed ? THREADS.getCurrentThreadCpuTime() : 0;
  }

  /** The bytes of a serializer, behind their number. */
  private static final class OfCodec extends Carrier {
    /* Two of them: a serializer serves one thread. */
    private final Codec writer;
    private final Codec reader;
    private final DataOutputStream out;
    private final DataInputStream in;
    private byte[] message = new byte[BUFFER_BYTES];

    OfCodec(Socket socket, SerializationStack stack) throws Exception {
      writer = stack.open();
      reader = stack.open();
      out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES));
      in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES));
    }

    @Override
    void send(@Nullable Object graph) throws Exception {
      long start = super.now();
      int length = graph == null ? 0 : writer.serialize(graph);
      long made = super.now();
      out.writeInt(length);
      out.write(writer.bytes(), 0, length);
      out.flush();
      objectNanos += made - start;
      wireNanos += super.now() - made;
    }

    @Override
    @Nullable Object receive() throws Exception {
      long start = super.now();
      int length = in.readInt();
      if (length > message.length) {
        message = new byte[Math.max(length, 2 * message.length)];
      }
      in.readFully(message, 0, length);
      long come = super.now();
      Object graph = length == 0 ? null : reader.deserialize(message, length);
      wireNanos += come - start;
      objectNanos += super.now() - come;
      return graph;
    }
  }

  /** A stream of UKA's, which goes out piece by piece while it is written. */
  private static final class OfStream extends Carrier {
    private final UkaObjectOutputStream out;
    private final UkaObjectInputStream in;

    OfStream(Socket socket, int pieceBytes) throws IOException {
      out =
          new UkaObjectOutputStream(new BufferedOutputStream(socket.getOutputStream(), pieceBytes));
      out.flush();
      in = new UkaObjectInputStream(socket.getInputStream());
    }

    @Override
    void send(@Nullable Object graph) throws IOException {
      out.writeObject(graph);
      out.resetObjects();
      out.flush();
    }

    @Override
    @Nullable Object receive() throws Exception {
      return in.readObject();
    }
  }

  /** An object channel, which acknowledges by itself. */
  static final class OfChannel extends Carrier {
    private final ObjectChannel channel;
    private final boolean isCounted;
    private final boolean sendsElements;
    private @Nullable SendHandle last;

    /**
     * @param isCounted whether its bytes are written by system calls
     */
    OfChannel(ObjectChannel channel, boolean isCounted, boolean sendsElements) {
      this.channel = channel;
      this.isCounted = isCounted;
      this.sendsElements = sendsElements;
    }

    @Override
    void send(@Nullable Object graph) throws IOException {
      last =
          sendsElements && graph instanceof Object[] elements
              ? channel.writeElements(elements, elements.length)
              : channel.writeAsync(graph);
    }

    @Override
    @Nullable Object receive() throws Exception {
      return channel.read();
    }

    @Override
    void await() throws IOException {
      if (last != null) {
        last.await();
      }
    }

    @Override
    void acknowledge() {}

    @Override
    long sentBytes() {
      return isCounted ? super.sentBytes() : -1;
    }
  }

  /** Remote calls, which only ask. */
  static final class OfCalls extends Carrier {
    private final Store store;

    OfCalls(Store store) {
      this.store = store;
    }

    @Override
    void send(@Nullable Object graph) {
      throw new UnsupportedOperationException();
    }

    @Override
    Object receive() {
      throw new UnsupportedOperationException();
    }

    @Override
    @Nullable Object ask(Object request) throws Exception {
      return store.apply(request);
    }
  }
}
