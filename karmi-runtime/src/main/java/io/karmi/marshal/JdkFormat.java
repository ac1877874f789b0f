package io.karmi.marshal;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.rmi.Remote;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The JDK's own object streams, fresh for each message, as in stock RMI. */
public final class JdkFormat implements CallFormat {
  private final Runnable forEach;

  public JdkFormat() {
    this(() -> {});
  }

  /**
   * @param forEach done for each object that is written
   */
  JdkFormat(Runnable forEach) {
    this.forEach = forEach;
  }

  @Override
  public String name() {
    return "jdk";
  }

  @Override
  public ObjectMarshaler openMarshaler(CallOutput out, OutputBuffer buffer) {
    return new Marshaler(out, new Sink(buffer), forEach);
  }

  @Override
  public ObjectUnmarshaler openUnmarshaler(CallInput in, InputBuffer buffer) {
    return new Unmarshaler(in, new Source(buffer));
  }

  private static final class Marshaler implements ObjectMarshaler {
    private final CallOutput out;
    private final Sink sink;
    private final Runnable forEach;

    /** Of the message that is under way. */
    private @Nullable Objects objects;

    Marshaler(CallOutput out, Sink sink, Runnable forEach) {
      this.out = out;
      this.sink = sink;
      this.forEach = forEach;
    }

    @Override
    public void beginMessage() throws IOException {
      objects = StreamOpening.open(() -> new Objects(out, sink, forEach));
    }

    @Override
    public void marshal(@Nullable Object object) throws IOException {
      Objects begun = java.util.Objects.requireNonNull(objects);
      begun.writeObject(object);
      begun.flush();
    }

    @Override
    public void endMessage() {
      objects = null;
    }

    @Override
    public void discardMessage() {
      objects = null;
    }
  }

  private static final class Unmarshaler implements ObjectUnmarshaler {
    private final CallInput in;
    private final Source source;

    /** Of the message that is under way. */
    private @Nullable ObjectsRead objects;

    Unmarshaler(CallInput in, Source source) {
      this.in = in;
      this.source = source;
    }

    @Override
    public void beginMessage() throws IOException {
      source.begin();
      objects = StreamOpening.open(() -> new ObjectsRead(in, source));
    }

    @Override
    public @Nullable Object unmarshal() throws IOException, ClassNotFoundException {
      return java.util.Objects.requireNonNull(objects).readObject();
    }

    @Override
    public @Nullable Object unmarshalExactly(Class<?> type)
        throws IOException, ClassNotFoundException {
      int code = source.peek();
      if (!mayBegin(type, code)) {
        throw new ClassCastException(
            "Cannot cast "
                + (code == ObjectStreamConstants.TC_OBJECT ? "an object" : "a special value")
                + " to "
                + type.getName());
      }
      return type.cast(java.util.Objects.requireNonNull(objects).readExactly(type));
    }

    private static boolean mayBegin(Class<?> type, int code) {
      return switch (code) {
        case ObjectStreamConstants.TC_NULL, ObjectStreamConstants.TC_REFERENCE -> true;
        case ObjectStreamConstants.TC_STRING, ObjectStreamConstants.TC_LONGSTRING ->
            type == String.class;
        case ObjectStreamConstants.TC_OBJECT -> type != String.class && !type.isArray();
        case ObjectStreamConstants.TC_ARRAY -> type.isArray();
        default -> false;
      };
    }

    @Override
    public void endMessage() throws IOException {
      objects = null;
      source.end();
    }

    /** Each message has a stream of its own. */
    @Override
    public void skipMessage() throws IOException {
      source.skipAll();
      endMessage();
    }
  }

  private static final class Objects extends ObjectOutputStream implements CallObjectOutput {
    private final CallOutput call;
    private final Runnable forEach;

    Objects(CallOutput call, OutputStream to, Runnable forEach) throws IOException {
      super(to);
      this.call = call;
      this.forEach = forEach;
      enableReplaceObject(true);
      useProtocolVersion(PROTOCOL_VERSION_2);
    }

    @Override
    protected Object replaceObject(Object object) {
      forEach.run();
      return object instanceof Remote ? CallObjects.toStub(call, object) : object;
    }

    @Override
    public CallOutput call() {
      return call;
    }
  }

  private static final class ObjectsRead extends ObjectInputStream implements CallObjectInput {
    private final CallInput call;

    /** The only class that may be read, with its superclasses; null for any. */
    private @Nullable Class<?> exact;

    ObjectsRead(CallInput call, Source from) throws IOException {
      super(from);
      this.call = call;
      ObjectInputFilter filter = call.filter();
      setObjectInputFilter(new Arrived(filter != null ? filter : getObjectInputFilter(), from));
    }

    @Nullable Object readExactly(Class<?> type) throws IOException, ClassNotFoundException {
      exact = type;
      try {
        return readObject();
      } finally {
        exact = null;
      }
    }

    /** Before the class is looked for, and so before anything of it is made. */
    private void checkExact(String name) {
      Class<?> wanted = exact;
      if (wanted == null) {
        return;
      }
      for (Class<?> type = wanted; type != null; type = type.getSuperclass()) {
        if (type.getName().equals(name)) {
          return;
        }
      }
      throw new ClassCastException("Cannot cast " + name + " to " + wanted.getName());
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      checkExact(description.getName());
      return CallObjects.resolveClass(call, description.getName());
    }

    @Override
    protected Class<?> resolveProxyClass(String[] interfaces)
        throws IOException, ClassNotFoundException {
      checkExact("a proxy");
      return call.proxyClass(interfaces);
    }

    @Override
    public CallInput call() {
      return call;
    }
  }

  /** A buffer as an output stream, which java.io needs. */
  private static final class Sink extends OutputStream {
    private final OutputBuffer buffer;

    Sink(OutputBuffer buffer) {
      this.buffer = buffer;
    }

    @Override
    public void write(int value) throws IOException {
      buffer.writeByte(value);
    }

    @Override
    public void write(byte[] values, int offset, int length) throws IOException {
      buffer.writeBytes(values, offset, length);
    }
  }

  /**
   * Filter that accepts the length of an array when its elements can have come: the JDK's stream
   * makes the whole array before it reads the first of them. An element takes bytes of its own, so
   * arrays inside each other need as many as all of them together.
   */
  private static final class Arrived implements ObjectInputFilter {
    /** The part of a hash table of the JDK's that is taken at least, with two bytes each. */
    private static final int ROOM_OF_TABLES = 8;

    /** For what collections of few elements make. */
    private static final int FREE_BYTES = 1 << 12;

    private final @Nullable ObjectInputFilter next;
    private final Source source;

    /** Number of bytes that the elements of all arrays of the message take at least. */
    private long claimedBytes;

    Arrived(@Nullable ObjectInputFilter next, Source source) {
      this.next = next;
      this.source = source;
    }

    @Override
    public Status checkInput(FilterInfo info) {
      Class<?> type = info.serialClass();
      if (type != null && info.arrayLength() > 0) {
        claimedBytes += leastBytes(type.getComponentType(), info.arrayLength());
        if (!source.hasCome(claimedBytes - FREE_BYTES)) {
          return Status.REJECTED;
        }
      }
      return next == null ? Status.UNDECIDED : next.checkInput(info);
    }

    private static long leastBytes(@Nullable Class<?> element, long length) {
      if (element == Map.Entry.class) {
        return length / ROOM_OF_TABLES;
      }
      if (element == long.class || element == double.class) {
        return length * Long.BYTES;
      }
      if (element == int.class || element == float.class) {
        return length * Integer.BYTES;
      }
      return element == short.class || element == char.class ? length * Short.BYTES : length;
    }
  }

  /** A buffer as an input stream, which java.io needs. */
  private static final class Source extends InputStream {
    /** Bytes after which the buffer is told that the message grows. */
    private static final int BYTES_PER_LOOK = 1 << 11;

    private final InputBuffer buffer;

    private long readBytes;

    /** And at which it is told next. */
    private long nextLook;

    Source(InputBuffer buffer) {
      this.buffer = buffer;
    }

    @Override
    public int read() throws IOException {
      look();
      int value = buffer.readByte() & 0xFF;
      readBytes++;
      return value;
    }

    private void look() throws IOException {
      if (readBytes >= nextLook) {
        nextLook = readBytes + BYTES_PER_LOOK;
        buffer.grow(0);
      }
    }

    /**
     * Waits until that many bytes of the message have come, those that were read included; false if
     * it is not that long.
     */
    boolean hasCome(long bytes) {
      long missing = bytes - readBytes;
      if (missing <= 0) {
        return true;
      }
      try {
        buffer.require((int) Math.min(missing, Integer.MAX_VALUE));
        return missing <= Integer.MAX_VALUE;
      } catch (EOFException e) {
        return false;
      } catch (IOException e) {
        throw new UncheckedIOException(e); // the cause of the stream's exception
      }
    }

    void begin() {
      readBytes = 0;
      nextLook = BYTES_PER_LOOK;
    }

    void end() throws IOException {
      buffer.endMessage();
    }

    /** The next byte, without taking it: the stream takes none before it is asked to read. */
    int peek() throws IOException {
      buffer.require(1);
      return buffer.bytes[buffer.position];
    }

    void skipAll() {
      buffer.position = buffer.limit;
    }

    @Override
    public int read(byte[] values, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      look();
      buffer.require(1);
      int taken = Math.min(length, buffer.remaining());
      buffer.readBytes(values, offset, taken);
      readBytes += taken;
      return taken;
    }
  }
}
