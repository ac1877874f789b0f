package io.karmi.uka.engine.read;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.platform.BulkCopy;
import io.karmi.uka.platform.TypeCode;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.StreamCorruptedException;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reader of arrays. Memory grows with the bytes that arrive, whatever length they claim. */
public final class ArrayReader {
  /** Largest array of primitives that is allocated before its bytes have arrived, in bytes. */
  private static final int TRUSTED_BYTES = 1 << 17;

  /** From this size on the source is asked before an array is made. */
  private static final int LARGE_BYTES = 1 << 16;

  private ArrayReader() {}

  /** Reads an array; its handle is the current one on return. */
  public static @Nullable Object read(ReadContext in, ReadType type, int length, boolean unshared)
      throws IOException {
    Class<?> elementType = type.referenceType();
    if (elementType == null) {
      return readWhole(in, type, length, unshared);
    }
    Claims claims = in.claims();
    long open = claims.open;
    long unproven = claims.unproven;
    @Nullable Object[] array = create(in, type, elementType, length, unshared);
    InputBuffer buffer = in.buffer();
    int following = buffer.following;
    int owner = in.currentHandle();
    int next = 0;
    while (next < length) {
      /* An element takes a byte at least. */
      claims.open = open + length - 1 - next;
      buffer.following = Claims.following(following, length - 1 - next);
      array[next++] = in.readReference(owner);
      buffer.following = following;
      next = in.readRun(array, next, length, owner);
    }
    claims.restore(open, unproven);
    return array;
  }

  /** Reads the length of an array, and shows it to the filter. */
  public static int readLength(ReadContext in, ReadType type) throws IOException {
    int length = in.format().readLength(type.elementCode());
    if (length < 0) {
      throw new StreamCorruptedException("Array length is negative");
    }
    in.check(type.type(), length);
    return length;
  }

  /** Reader of arrays that no hook observes. */
  public static final class Direct extends DirectReader {
    public Direct(ReadType type) {
      super(type);
    }

    @Override
    public @Nullable Object readShared(ReadContext in) throws IOException {
      if (type.referenceType() != null) {
        return super.readShared(in);
      }
      Object array = readPrimitives(in, type.elementCode(), readLength(in, type));
      in.addLeaf(array);
      return array;
    }

    @Override
    public @Nullable Object unmarshal(ReadContext in, boolean unshared) throws IOException {
      return read(in, type, readLength(in, type), unshared);
    }
  }

  /** Begins an array of references that {@link DeepReader} completes. */
  public static HalfRead begin(ReadContext in, ReadType type, int length, boolean unshared)
      throws IOException {
    Class<?> elementType = Objects.requireNonNull(type.referenceType());
    long unproven = in.claims().unproven;
    return new HalfArray(
        in, type, unshared, create(in, type, elementType, length, unshared), unproven);
  }

  private static @Nullable Object readWhole(
      ReadContext in, ReadType type, int length, boolean unshared) throws IOException {
    if (type.type() == null) {
      in.begin(null, type, unshared);
      skipElements(in, length);
      return null;
    }
    if (type.elementCode() == 0) {
      throw new InvalidClassException(type.type().getName(), "an array of a class that is none");
    }
    Object array = readPrimitives(in, type.elementCode(), length);
    in.begin(array, type, unshared);
    return array;
  }

  private static @Nullable Object[] create(
      ReadContext in, ReadType type, Class<?> elementType, int length, boolean unshared)
      throws IOException {
    in.claims().admit(length);
    grow(in, (long) length * Integer.BYTES);
    @Nullable Object[] array = (Object[]) Array.newInstance(elementType, length);
    in.begin(array, type, unshared);
    return array;
  }

  private static void skipElements(ReadContext in, int length) throws IOException {
    int handle = in.currentHandle();
    for (int i = 0; i < length; i++) {
      in.readNested(false);
    }
    in.setCurrentHandle(handle);
  }

  /** An array some of whose elements are still to be read. */
  private static final class HalfArray extends HalfRead {
    private final @Nullable Object[] array;
    private int next;

    /* State outside the array, restored at its end. */
    private final int following;
    private final long open;
    private final long unproven;

    public HalfArray(
        ReadContext in, ReadType type, boolean unshared, @Nullable Object[] array, long unproven) {
      super(type, unshared);
      this.array = array;
      this.unproven = unproven;
      following = in.buffer().following;
      open = in.claims().open;
    }

    @Override
    public boolean advance(ReadContext in) {
      int left = array.length - next;
      in.buffer().following = Claims.following(following, left - 1);
      in.claims().open = open + left - 1;
      return left > 0;
    }

    @Override
    public boolean isNextUnshared() {
      return false;
    }

    @Override
    public void accept(ReadContext in, @Nullable Object value) {
      array[next++] = value;
      in.handles().depend(handle, in.currentHandle());
    }

    @Override
    public Object complete(ReadContext in) {
      in.claims().restore(open, unproven);
      return array;
    }
  }

  private static Object readPrimitives(ReadContext in, char code, int length) throws IOException {
    if (code == 'B' && length <= in.buffer.remaining()) {
      /* Unlike a new array, a copy is not filled with zeros first. */
      int start = in.buffer.position;
      in.buffer.position += length;
      return Arrays.copyOfRange(in.buffer.bytes, start, start + length);
    }
    if (BulkCopy.pays(length) && in.isLittleEndian()) {
      Object copy = copy(in.buffer, code, length);
      if (copy != null) {
        return copy;
      }
    }
    int made = trusted(in, code, length);
    grow(in, (long) made * TypeCode.sizeOf(code));
    Object array = TypeCode.newArray(code, made);
    in.format().readElements(array, code, 0, made);
    while (made < length) {
      int grown = (int) Math.min(length, 4L * made);
      grow(in, (long) grown * TypeCode.sizeOf(code));
      Object larger = TypeCode.newArray(code, grown);
      System.arraycopy(array, 0, larger, 0, made);
      array = larger;
      in.format().readElements(array, code, made, grown - made);
      made = grown;
    }
    return array;
  }

  private static void grow(ReadContext in, long lengthBytes) throws IOException {
    if (lengthBytes >= LARGE_BYTES) {
      in.buffer().grow(lengthBytes);
    }
  }

  /** An array copied from the buffer; null if it has to be read element by element. */
  private static @Nullable Object copy(InputBuffer in, char code, int length) {
    long lengthBytes = (long) length * TypeCode.sizeOf(code);
    if (lengthBytes > in.remaining()) {
      return null;
    }
    Object array = BulkCopy.toArray(in.bytes, in.position, code, length);
    in.position += array == null ? 0 : (int) lengthBytes;
    return array;
  }

  /** Elements that are allocated before their bytes have arrived. */
  private static int trusted(ReadContext in, char code, int length) {
    if (length <= TRUSTED_BYTES / Long.BYTES) {
      return length;
    }
    long bytes = Math.max(TRUSTED_BYTES, in.buffer().sureBytes());
    return (int) Math.min(length, bytes / TypeCode.sizeOf(code));
  }

  /** A shallow copy: what an unshared object was resolved to must not be shared. */
  public static Object copy(Object array) {
    int length = Array.getLength(array);
    Object copy = Array.newInstance(array.getClass().getComponentType(), length);
    System.arraycopy(array, 0, copy, 0, length);
    return copy;
  }
}
