package io.karmi.engines;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerInstance;
import org.jspecify.annotations.Nullable;
import scala.reflect.ClassTag;

/**
 * A serializer that makes no bytes of objects: it leaves them where they are and writes four bytes
 * to find them again. What a task takes with it, it takes with every serializer. Works in one JVM
 * only.
 */
public final class FloorSerializer extends Serializer implements Serializable {
  private static final long serialVersionUID = 1;

  /** Constructor by which Spark makes it. */
  public FloorSerializer(SparkConf conf) {
    super();
  }

  /** The objects of all streams since they were last forgotten, in segments of equal length. */
  private static final class Objects {
    /** Length of a segment, as a power of two: most streams have one. */
    private static final int SEGMENT_BITS = 12;

    private static final int SEGMENT = 1 << SEGMENT_BITS;

    private static @Nullable Object[][] segments = new Object[64][];
    private static int count;

    private Objects() {}

    /** The number of a segment that no other stream writes to. */
    static synchronized int take() {
      if (count == segments.length) {
        segments = Arrays.copyOf(segments, 2 * count);
      }
      segments[count] = new Object[SEGMENT];
      return count++;
    }

    static synchronized @Nullable Object[] segment(int number) {
      return segments[number];
    }

    static synchronized void forget() {
      Arrays.fill(segments, 0, count, null);
      count = 0;
    }
  }

  /** Lets go of all objects; no stream that was written before can be read any more. */
  static void forget() {
    Objects.forget();
  }

  @Override
  public SerializerInstance newInstance() {
    return new Instance();
  }

  @Override
  public boolean supportsRelocationOfSerializedObjects() {
    return true;
  }

  /** The serializer of one thread. */
  private static final class Instance extends SerializerInstance {
    @Override
    public <T> ByteBuffer serialize(@Nullable T object, ClassTag<T> tag) {
      int segment = Objects.take();
      Objects.segment(segment)[0] = object;
      return ByteBuffer.allocate(Integer.BYTES).putInt(0, segment << Objects.SEGMENT_BITS);
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // null is a value like others
    public <T> T deserialize(ByteBuffer bytes, ClassTag<T> tag) {
      int place = bytes.getInt(bytes.position());
      return (T) Objects.segment(place >>> Objects.SEGMENT_BITS)[place & (Objects.SEGMENT - 1)];
    }

    @Override
    public <T> T deserialize(ByteBuffer bytes, ClassLoader loader, ClassTag<T> tag) {
      return deserialize(bytes, tag);
    }

    @Override
    public SerializationStream serializeStream(OutputStream out) {
      return new Out(out);
    }

    @Override
    public DeserializationStream deserializeStream(InputStream in) {
      return new In(in);
    }
  }

  /** Writes the places of objects. */
  private static final class Out extends SerializationStream {
    private final DataOutputStream out;
    private @Nullable Object[] segment = new Object[0];
    private int place;
    private int next;

    Out(OutputStream out) {
      this.out = new DataOutputStream(out);
    }

    @Override
    public <T> SerializationStream writeObject(@Nullable T object, ClassTag<T> tag) {
      if (next == segment.length) {
        int number = Objects.take();
        segment = Objects.segment(number);
        place = number << Objects.SEGMENT_BITS;
        next = 0;
      }
      segment[next] = object;
      try {
        out.writeInt(place | next);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      next++;
      return this;
    }

    @Override
    public void flush() {
      try {
        out.flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      try {
        out.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Finds objects by their places. */
  private static final class In extends DeserializationStream {
    private final DataInputStream in;
    private int number = -1;
    private @Nullable Object[] segment = new Object[0];

    In(InputStream in) {
      this.in = new DataInputStream(in);
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway", "TypeParameterUnusedInFormals"})
    public <T> T readObject(ClassTag<T> tag) {
      int place = place();
      if (place >>> Objects.SEGMENT_BITS != number) {
        number = place >>> Objects.SEGMENT_BITS;
        segment = Objects.segment(number);
      }
      return (T) segment[place & (Objects.SEGMENT - 1)];
    }

    private int place() {
      try {
        return in.readInt();
      } catch (IOException e) {
        throw sneak(e); // Spark knows the end of a stream by its EOFException
      }
    }

    @Override
    public void close() {
      try {
        in.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> RuntimeException sneak(IOException e) throws E {
    throw (E) e;
  }
}
