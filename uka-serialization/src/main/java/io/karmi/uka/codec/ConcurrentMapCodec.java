package io.karmi.uka.codec;

import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.engine.read.ArrayReader;
import io.karmi.uka.engine.read.ReadContext;
import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.engine.write.KnownClasses;
import io.karmi.uka.engine.write.ObjectWriter;
import io.karmi.uka.field.NumberWidth;
import io.karmi.uka.format.FormatReader;
import io.karmi.uka.format.FormatWriter;
import io.karmi.uka.format.Token;
import io.karmi.uka.format.uka.PlatformDescriptions;
import io.karmi.uka.handle.ReadHandleTable;
import io.karmi.uka.type.ClassDescription;
import io.karmi.uka.type.FieldDescription;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Codec of {@code ConcurrentHashMap}: keys and values, and two nulls. The {@link Segments} before
 * them are omitted where the reader knows their types.
 */
final class ConcurrentMapCodec extends PlatformCodec {
  @Override
  Object marshaler(LocalClass type, PlatformDescriptions table) {
    return new ConcurrentMapMarshaler(type, table);
  }

  @Override
  void expand(String name, int head, ShortForms into) throws IOException {
    Segments.writeFields(into.format, into.text, into);
  }

  static final class ConcurrentMapMarshaler extends PlatformMarshaler {
    ConcurrentMapMarshaler(LocalClass type, PlatformDescriptions table) {
      super(type, table);
    }

    @Override
    public boolean writeContent(ObjectWriter out, Object object) throws IOException {
      if (!isShort(out) || !Segments.areKnown(out)) {
        return false;
      }
      out.buffer.writeVarInt(0);
      Segments.skipHandles(out);
      out.entries().write((ConcurrentHashMap<?, ?>) object);
      out.writeReference(null);
      out.writeReference(null);
      end(out);
      return true;
    }
  }

  /**
   * Segments in the serial form of a {@code ConcurrentHashMap}: new locks with a load factor, which
   * the map's {@code writeObject} makes for old readers.
   *
   * <p>No program sees them. So where no hook observes them they are written without a look-up, and
   * skipped without being made. Their bytes and handles are those of any other object.
   */
  static final class Segments {
    private static final String SEGMENT_NAME = "java.util.concurrent.ConcurrentHashMap$Segment";
    private static final String ARRAY_NAME = "[L" + SEGMENT_NAME + ";";
    private static final String LOCK_STATE_NAME =
        "java.util.concurrent.locks.ReentrantLock$NonfairSync";

    private static final @Nullable Class<?> ARRAY = find(ARRAY_NAME);
    private static final @Nullable Class<?> SEGMENT =
        ARRAY == null ? null : ARRAY.getComponentType();
    private static final @Nullable Class<?> LOCK_STATE = find(LOCK_STATE_NAME);

    /** State of a free lock. */
    private static final int STATE = 0;

    /** Segments of a map of any size. */
    private static final int SEGMENTS = 16;

    private static final float LOAD_FACTOR = 0.75f;

    /** Whether a segment is a reference to a lock state and a float, and a lock state is an int. */
    private static final boolean ARE_AS_EXPECTED =
        isPlain(SEGMENT, "LF") && isPlain(LOCK_STATE, "I");

    private final ReadContext in;
    private @Nullable ReadType segment;
    private @Nullable ReadType lockState;

    private Segments(ReadContext in) {
      this.in = in;
    }

    /** Whether objects of the class are these fields and nothing else, topmost class first. */
    private static boolean isPlain(@Nullable Class<?> type, String codes) {
      StringBuilder found = new StringBuilder();
      LocalClass level = type == null ? null : LocalClass.of(type);
      for (; level != null; level = level.superclass) {
        ClassDescription description = level.description();
        if (description.hasWriteMethod()) {
          return false;
        }
        for (int i = description.fields.length - 1; i >= 0; i--) {
          FieldDescription field = description.fields[i];
          found.append(field.code());
        }
      }
      return found.reverse().toString().equals(codes);
    }

    /** Writes the references of a map; false, and nothing is written, if a hook observes them. */
    static boolean writeReferences(ObjectWriter out, @Nullable Object[] references)
        throws IOException {
      if (out.isWatched()) {
        return false;
      }
      for (@Nullable Object reference : references) {
        if (!write(out, reference)) {
          out.writeReference(reference);
        }
      }
      return true;
    }

    /**
     * Writes the segments of a map.
     *
     * @param value a field
     * @return false, and nothing has been written, if the value is something else
     */
    private static boolean write(ObjectWriter out, @Nullable Object value) throws IOException {
      if (!ARE_AS_EXPECTED
          || value == null
          || value.getClass() != ARRAY
          || SEGMENT == null
          || LOCK_STATE == null) {
        return false;
      }
      Object[] segments = (Object[]) value;
      out.open(Token.ARRAY, LocalClass.of(ARRAY), segments, true);
      out.format().writeLength(segments.length);
      KnownClasses.Known segment = out.classes().known(SEGMENT);
      KnownClasses.Known lockState = out.classes().known(LOCK_STATE);
      for (Object each : segments) {
        if (segment.isDirect() && lockState.isDirect()) {
          out.skipHandle();
          segment.writeOpening(out.buffer);
          out.skipHandle();
          lockState.writeOpening(out.buffer);
          PlatformMarshaler.writeFieldInt(out, STATE);
          PlatformMarshaler.writeFieldInt(out, Float.floatToIntBits(LOAD_FACTOR));
        } else {
          out.writeReference(each);
          segment = out.classes().known(SEGMENT);
          lockState = out.classes().known(LOCK_STATE);
        }
      }
      return true;
    }

    /** Whether the reader knows all types, so that it can expand the fields of a map. */
    static boolean areKnown(ObjectWriter out) throws IOException {
      return ARE_AS_EXPECTED
          && !out.isWatched()
          && hasNumber(out, ARRAY)
          && hasNumber(out, SEGMENT)
          && hasNumber(out, LOCK_STATE);
    }

    private static boolean hasNumber(ObjectWriter out, @Nullable Class<?> type) throws IOException {
      return type != null && out.classes().known(type).hasNumber();
    }

    /** Gives handles to all that {@link #writeFields} writes. */
    static void skipHandles(ObjectWriter out) {
      for (int i = 0; i < 1 + 2 * SEGMENTS; i++) {
        out.skipHandle();
      }
    }

    /** Writes the fields of a map, which are always the same. */
    static void writeFields(FormatWriter format, OutputBuffer out, ShortForms types)
        throws IOException {
      out.writeInt(SEGMENTS - 1);
      out.writeInt(Integer.SIZE - Integer.numberOfTrailingZeros(SEGMENTS));
      format.writeOpening(Token.ARRAY, types.numberOf(ARRAY_NAME));
      format.writeLength(SEGMENTS);
      int segment = types.numberOf(SEGMENT_NAME);
      int lockState = types.numberOf(LOCK_STATE_NAME);
      for (int i = 0; i < SEGMENTS; i++) {
        format.writeOpening(Token.OBJECT, segment);
        format.writeOpening(Token.OBJECT, lockState);
        out.writeInt(STATE);
        out.writeFloat(LOAD_FACTOR);
      }
    }

    /** Whether this is the type of a map's segments. */
    static boolean areOf(ReadType type) {
      return ARE_AS_EXPECTED && type.type() == ARRAY;
    }

    /** Skips the segments of a map behind their type. */
    static void pass(ReadContext in, ReadType type) throws IOException {
      int length = ArrayReader.readLength(in, type);
      Segments segments = new Segments(in);
      segments.passHandle();
      for (int i = 0; i < length; i++) {
        segments.passSegment();
      }
    }

    private void passSegment() throws IOException {
      ReadType type = takeKnown(segment, SEGMENT);
      if (type != null) {
        segment = type;
        passHandle();
        passLockState();
        pass(Float.BYTES);
      }
    }

    private void passLockState() throws IOException {
      ReadType type = takeKnown(lockState, LOCK_STATE);
      if (type != null) {
        lockState = type;
        passHandle();
        pass(Integer.BYTES);
      }
    }

    /**
     * Takes token and type of an object of a class.
     *
     * @param last type of such an object
     * @return null if a whole value has been read, as it was something else
     */
    private @Nullable ReadType takeKnown(@Nullable ReadType last, @Nullable Class<?> expected)
        throws IOException {
      int number = in.format().takeObject();
      if (number == FormatReader.NOTHING_TAKEN) {
        in.readNested(false);
      }
      if (number < 0) {
        return null;
      }
      ReadType type = in.numbered(number);
      if (type == last || isLocalForm(type, expected)) {
        return type;
      }
      in.readOf(type, false, in.format().takesAnyKind());
      return null;
    }

    private static boolean isLocalForm(ReadType type, @Nullable Class<?> expected) {
      return type.type() == expected && type.width() == NumberWidth.FULL && type.equalsLocal();
    }

    /** Gives the next handle to no object. */
    private void passHandle() {
      in.handles().assignSettled(ReadHandleTable.UNSHARED);
    }

    private void pass(int bytes) throws IOException {
      in.buffer.require(bytes);
      in.buffer.position += bytes;
    }
  }
}
