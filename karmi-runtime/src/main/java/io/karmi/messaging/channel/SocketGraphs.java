package io.karmi.messaging.channel;

import io.karmi.guard.AllocatedBytes;
import io.karmi.guard.ArrayNames;
import io.karmi.guard.Ledger;
import io.karmi.guard.MessageMemory;
import io.karmi.messaging.frame.CountedBuffer;
import io.karmi.uka.ConnectionInputStream;
import io.karmi.uka.buffer.InputBuffer;
import java.io.IOException;
import java.io.ObjectStreamClass;
import java.io.StreamCorruptedException;
import org.jspecify.annotations.Nullable;

/**
 * The graphs that come over a socket: each one is a message of one stream of UKA's, so that classes
 * are described once. Belongs to the thread that reads the socket.
 */
final class SocketGraphs {
  /** Types after which the other end is asked to describe them afresh. */
  private static final int MANY_TYPES = 10_000;

  /** How much more its types may take than there is room for, until the other end renews them. */
  private static final int UNCOUNTED_BYTES = 1 << 13;

  private final MessageMemory memory;
  private final Ledger.Account tables;
  private final CountedBuffer buffer;
  private final @Nullable ClassLoader loader;
  private @Nullable Input stream;
  private boolean typesLost;
  private boolean renewalWanted;

  /** How many bytes of types are counted. */
  private long counted;

  /**
   * @param account counts what graphs take while they are read
   * @param tables counts what the types take that the other end has described
   * @param host the other end's, for limits
   * @param sender names the other end
   * @param loader where classes are looked for first, or null
   */
  SocketGraphs(
      Ledger.Account account,
      Ledger.Account tables,
      Object host,
      String sender,
      @Nullable ClassLoader loader) {
    this.tables = tables;
    memory = new MessageMemory(account, () -> sender);
    buffer = new CountedBuffer(memory, host);
    this.loader = loader;
  }

  private static final class Input extends ConnectionInputStream {
    private final @Nullable ClassLoader loader;
    private long failureBytes;

    Input(InputBuffer buffer, @Nullable ClassLoader loader) throws IOException {
      super(buffer);
      this.loader = loader;
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass descriptor)
        throws IOException, ClassNotFoundException {
      ArrayNames.check(descriptor.getName());
      if (loader != null) {
        try {
          return Class.forName(descriptor.getName(), false, loader);
        } catch (ClassNotFoundException e) {
          // as an ObjectInputStream finds it, if it does
        }
      }
      try {
        return super.resolveClass(descriptor);
      } catch (ClassNotFoundException e) {
        failureBytes += FAILURE_BYTES;
        throw e;
      }
    }

    /** About what the types take that it knows. */
    long typeBytes() {
      return (long) knownTypes() * TYPE_BYTES + failureBytes + describedBytes();
    }
  }

  /**
   * Reads a graph, and counts what that allocates.
   *
   * @param fresh whether its types are described afresh
   * @throws Exception or an Error if it cannot be read; what follows can
   */
  ArrivedGraph read(byte[] bytes, int start, int end, boolean fresh) throws Exception {
    long allocated = AllocatedBytes.ofCurrentThread();
    Input in = stream;
    if (in == null || fresh) {
      in = new Input(buffer, loader);
      stream = in;
      typesLost = false;
    }
    if (typesLost) {
      renewalWanted = true;
      throw new StreamCorruptedException("its types were lost with a graph before");
    }
    buffer.show(bytes, start, end);
    memory.begin();
    boolean done = false;
    try {
      Object graph = in.readObject();
      if (buffer.position != buffer.limit) {
        throw new StreamCorruptedException(
            (buffer.limit - buffer.position) + " bytes are left behind a graph");
      }
      in.resetObjects();
      buffer.endMessage();
      done = true;
      renewalWanted |= in.knownTypes() > MANY_TYPES;
      return new ArrivedGraph(graph, end - start, AllocatedBytes.since(allocated, end - start));
    } finally {
      memory.end();
      if (!done) {
        skip(in, bytes, start, end);
      }
      buffer.forget();
    }
  }

  /** Passes over a graph that cannot be read, and keeps what it says about types. */
  private void skip(Input in, byte[] bytes, int start, int end) {
    buffer.show(bytes, start, end);
    memory.begin();
    try {
      in.skipMessage();
    } catch (IOException | RuntimeException e) {
      typesLost = true;
      renewalWanted = true;
    } finally {
      memory.end();
    }
  }

  /**
   * Counts the types that the other end has described so far. If there is no room for more it is to
   * describe them afresh.
   *
   * @throws StreamCorruptedException if it has gone on regardless
   */
  void countTypes() throws StreamCorruptedException {
    Input in = stream;
    long bytes = in == null ? 0 : in.typeBytes();
    if (tables.hold(bytes - counted)) {
      counted = bytes;
      return;
    }
    renewalWanted = true;
    if (bytes - counted > UNCOUNTED_BYTES) {
      throw new StreamCorruptedException(
          "types of "
              + (bytes - counted)
              + " bytes more than there is room for: of what peers have described "
              + tables);
    }
  }

  /** Whether the other end is to describe types afresh; true once. */
  boolean takeRenewal() {
    boolean wanted = renewalWanted;
    renewalWanted = false;
    return wanted;
  }
}
