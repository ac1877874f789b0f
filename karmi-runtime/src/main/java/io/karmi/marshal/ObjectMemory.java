package io.karmi.marshal;

import io.karmi.id.NodeId;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Memory that an object and all that it leads to take, about: what it has in the JDK's format, in
 * which numbers have their full width, and more for each object. That is up to twice what objects
 * without arrays take. What an object has room for and does not use is not known.
 */
public final class ObjectMemory {
  /** Memory of an object and of a reference to it that its bytes do not show. */
  private static final long BYTES_FOR_EACH = 32;

  private final RemoteTranslation translation;
  private final NodeId receiver;
  private final Supplier<String> host;
  private final Object identity;

  /** Of objects that are sent to a node; see {@link CallOutput} for all of these. */
  public ObjectMemory(
      RemoteTranslation translation, NodeId receiver, Supplier<String> host, Object identity) {
    this.translation = translation;
    this.receiver = receiver;
    this.host = host;
    this.identity = identity;
  }

  /**
   * The memory of an object in bytes.
   *
   * @param format for an object that the JDK's cannot hold, such as a graph that is too deep: of
   *     such a one the bytes count, or what comes before the place where that fails, too
   */
  public long of(@Nullable Object object, CallFormat format) {
    Scale scale = new Scale();
    if (write(object, new JdkFormat(scale::addObject), scale)) {
      return scale.found();
    }
    Scale other = new Scale();
    write(object, format, other);
    return Math.max(scale.found(), other.found());
  }

  private boolean write(@Nullable Object object, CallFormat format, Scale to) {
    CallOutput out = new CallOutput(to, format, translation, receiver);
    out.tellHost(host);
    out.tellIdentity(identity);
    boolean written = false;
    try {
      out.writeObject(object);
      written = true;
    } catch (IOException | RuntimeException | Error e) {
      /* Who sends it finds out. */
    }
    to.end();
    try {
      out.discardMessage();
    } catch (IOException | RuntimeException | Error e) {
      /* Of a message that is kept nowhere. */
    }
    return written;
  }

  /** Counts bytes and keeps none. */
  private static final class Scale extends OutputBuffer {
    private static final int SLICE_BYTES = 8 * 1024;

    private long before;

    Scale() {
      super(0);
    }

    void addObject() {
      before += BYTES_FOR_EACH;
    }

    void end() {
      before += position;
      position = 0;
    }

    long found() {
      return before;
    }

    @Override
    protected void makeRoom(int lengthBytes) throws IOException {
      end();
      if (lengthBytes > bytes.length) {
        super.makeRoom(lengthBytes);
      }
    }

    @Override
    protected void makeRoomForArray(long lengthBytes) throws IOException {
      makeRoom((int) Math.min(lengthBytes, SLICE_BYTES));
    }
  }
}
