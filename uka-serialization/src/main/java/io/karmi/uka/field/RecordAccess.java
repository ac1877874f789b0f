package io.karmi.uka.field;

import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.platform.Permitted;
import io.karmi.uka.platform.SerializationFactory;
import io.karmi.uka.platform.TypeCode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.io.ObjectStreamField;
import java.io.OutputStream;
import java.io.StreamCorruptedException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Access to the components of a record by a stream of the JDK, for records that nothing else
 * reaches: a module that opens nothing is closed even to {@code sun.misc.Unsafe} and {@code
 * ReflectionFactory}.
 *
 * <p>The stream writes the record without its description, and a number as text for each object
 * that it refers to. Components with {@code writeReplace} have been replaced in it. Fields are
 * never set, as records are made by their constructor.
 */
public final class RecordAccess extends FieldAccess {
  /** Bytes before the components: header, object, class without description, end, no superclass. */
  private static final int HEAD_BYTES = 8;

  private RecordAccess() {}

  public static FieldAccess open(FieldLayout layout) throws ReflectiveOperationException {
    if (SerializationFactory.writeReplace(layout.declaring) != null) {
      throw new NoSuchMethodException("a record that replaces itself is not written as it is");
    }
    ObjectStreamField[] fields = ObjectStreamClass.lookup(layout.declaring).getFields();
    boolean same = fields.length == layout.fields.length;
    for (int i = 0; same && i < fields.length; i++) {
      same = layout.fields[i] != null && layout.fields[i].getName().equals(fields[i].getName());
    }
    if (!same) {
      throw new NoSuchFieldException("not the components of " + layout.declaring.getName());
    }
    return new RecordAccess();
  }

  @Override
  public void write(FieldSink sink, Object record, long opening, int openingBytes)
      throws IOException {
    Components components = new Components(record);
    OutputBuffer buffer = sink.buffer;
    buffer.reserve(Long.BYTES + layout.primitiveBytes);
    copyPrimitives(components, buffer.bytes, buffer.position + openingBytes);
    endBlock(buffer, opening, openingBytes);
    @Nullable Object[] values = new @Nullable Object[layout.referenceCount()];
    components.copyReferences(HEAD_BYTES + layout.primitiveBytes, values);
    for (@Nullable Object value : values) {
      sink.writeReference(value);
    }
  }

  @Override
  public void getPrimitives(Object record, byte[] bytes, int position) {
    copyPrimitives(componentsOf(record), bytes, position);
  }

  private static Components componentsOf(Object record) {
    try {
      return new Components(record);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot get the components of " + record.getClass(), e);
    }
  }

  private void copyPrimitives(Components components, byte[] bytes, int position) {
    System.arraycopy(components.bytes, HEAD_BYTES, bytes, position, layout.primitiveBytes);
    if (layout.block.order == ByteOrder.LITTLE_ENDIAN) {
      for (int i = 0; i < layout.primitiveCount; i++) {
        reverse(bytes, position + layout.block.offsets[i], TypeCode.sizeOf(layout.codes[i]));
      }
    }
  }

  private static void reverse(byte[] bytes, int start, int length) {
    for (int low = start, high = start + length - 1; low < high; low++, high--) {
      byte lowest = bytes[low];
      bytes[low] = bytes[high];
      bytes[high] = lowest;
    }
  }

  @Override
  public void getReferences(Object record, @Nullable Object[] values) {
    componentsOf(record).copyReferences(HEAD_BYTES + layout.primitiveBytes, values);
  }

  @Override
  public @Nullable Object getReference(Object record, int index) {
    @Nullable Object[] values = new @Nullable Object[layout.referenceCount()];
    getReferences(record, values);
    return values[index];
  }

  @Override
  public void setPrimitives(Object object, byte[] bytes, int position) {
    throw refusal();
  }

  @Override
  public void setReference(Object object, int index, @Nullable Object value) {
    throw refusal();
  }

  private static UnsupportedOperationException refusal() {
    return new UnsupportedOperationException("a record is made by its constructor");
  }

  /** The bytes of a record, and the objects and classes that they refer to. */
  private static final class Components {
    private final byte[] bytes;
    private final List<@Nullable Object> objects = new ArrayList<>();
    private final List<Class<?>> classes = new ArrayList<>();

    /** By handle, from 0 on: an object, or the class of a description. */
    private final List<@Nullable Object> handles = new ArrayList<>();

    Components(Object record) throws IOException {
      handles.add(record.getClass());
      handles.add(record);
      ByteArrayOutputStream written = new ByteArrayOutputStream();
      try (ObjectOutputStream out = new Numbering(written, record)) {
        out.writeObject(record);
      }
      bytes = written.toByteArray();
    }

    void copyReferences(int start, @Nullable Object[] values) {
      DataInputStream in =
          new DataInputStream(new ByteArrayInputStream(bytes, start, bytes.length - start));
      try {
        for (int i = 0; i < values.length; i++) {
          values[i] = readReference(in);
        }
      } catch (IOException e) {
        throw new UncheckedIOException("the JDK writes records otherwise than it did", e);
      }
    }

    private @Nullable Object readReference(DataInputStream in) throws IOException {
      int token = in.readByte();
      switch (token) {
        case ObjectStreamConstants.TC_NULL:
          return null;
        case ObjectStreamConstants.TC_REFERENCE:
          return handles.get(in.readInt() - ObjectStreamConstants.baseWireHandle);
        case ObjectStreamConstants.TC_STRING:
          Object object = objects.get(Integer.parseInt(in.readUTF()));
          handles.add(object);
          return object;
        case ObjectStreamConstants.TC_CLASS:
          Object type = readDescription(in);
          handles.add(type);
          return type;
        default:
          throw new StreamCorruptedException("unexpected token: " + token);
      }
    }

    /** Reads descriptions up to the last superclass, and returns the class of the first. */
    private @Nullable Object readDescription(DataInputStream in) throws IOException {
      int token = in.readByte();
      if (token == ObjectStreamConstants.TC_NULL) {
        return null;
      }
      if (token == ObjectStreamConstants.TC_REFERENCE) {
        return handles.get(in.readInt() - ObjectStreamConstants.baseWireHandle);
      }
      if (token != ObjectStreamConstants.TC_CLASSDESC
          || in.readByte() != ObjectStreamConstants.TC_ENDBLOCKDATA) {
        throw new StreamCorruptedException("unexpected token: " + token);
      }
      Class<?> type = classes.remove(0);
      handles.add(type);
      readDescription(in);
      return type;
    }

    /** Describes no class, and writes a number for each object. */
    private final class Numbering extends ObjectOutputStream {
      private final Object record;

      Numbering(OutputStream out, Object record) throws IOException {
        super(out);
        this.record = record;
        Permitted.get(() -> enableReplaceObject(true));
      }

      @Override
      protected void writeClassDescriptor(ObjectStreamClass descriptor) {}

      @Override
      protected void annotateClass(Class<?> type) {
        if (type != record.getClass()) {
          classes.add(type);
        }
      }

      @Override
      protected @Nullable Object replaceObject(@Nullable Object object) {
        if (object == record) {
          return object;
        }
        objects.add(object);
        return String.valueOf(objects.size() - 1);
      }
    }
  }
}
