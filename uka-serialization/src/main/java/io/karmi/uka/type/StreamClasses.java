package io.karmi.uka.type;

import io.karmi.uka.platform.FilterFactory;
import io.karmi.uka.platform.Permitted;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Conversion between descriptions and {@link ObjectStreamClass} objects, which programs get in
 * {@code resolveClass}, {@code readClassDescriptor} and {@code GetField}.
 *
 * <p>That class has no constructor and hides its flags. The JDK's streams can read and write it,
 * also while their constructors handle the header. So a stream of the JDK around a few bytes does
 * so.
 */
public final class StreamClasses {
  /** Fields of a description that keeps its descriptor, at most, as it lives as long as the JVM. */
  private static final int MAXIMUM_FIELDS_TO_KEEP = 64;

  private StreamClasses() {}

  /**
   * One class of a hierarchy in a stream.
   *
   * @param type the class of this JVM, or null
   */
  public record Level(ClassDescription description, @Nullable Class<?> type) {
    private boolean describes(LocalClass local) {
      ClassDescription own = local.description();
      return own.serialVersionUid == description.serialVersionUid && own.sameLayout(description);
    }
  }

  /** The description in any class descriptor, bound to a class or not. */
  public static ClassDescription describe(ObjectStreamClass streamClass) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    writeInHeader(bytes, streamClass);
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
    return read(in, new ArrayList<>());
  }

  /**
   * A descriptor for {@code readClassDescriptor}, not bound to a class.
   *
   * @throws InvalidClassException if the JDK does not accept the description
   */
  public static ObjectStreamClass unbound(ClassDescription description)
      throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    write(new DataOutputStream(bytes), description);
    return readInHeader(bytes.toByteArray());
  }

  /**
   * A descriptor for {@code resolveClass}, not bound to a class and made once per description.
   *
   * @throws InvalidClassException if the JDK does not accept the description
   */
  public static ObjectStreamClass shared(ClassDescription description)
      throws IOException, ClassNotFoundException {
    ObjectStreamClass known = description.unbound;
    if (known == null) {
      known = unbound(description);
      if (description.fields.length <= MAXIMUM_FIELDS_TO_KEEP) {
        description.unbound = known;
      }
    }
    return known;
  }

  /**
   * A descriptor for {@code GetField.getObjectStreamClass}, bound to a class, with the descriptors
   * of its superclasses.
   *
   * @param levels itself, its superclass, and so on
   */
  public static ObjectStreamClass bound(List<Level> levels)
      throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeShort(ObjectStreamConstants.STREAM_MAGIC);
    out.writeShort(ObjectStreamConstants.STREAM_VERSION);
    for (Level level : levels) {
      out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
      write(out, level.description);
      out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
    }
    out.writeByte(ObjectStreamConstants.TC_NULL);
    try (ObjectInputStream in = new BindingInput(bytes.toByteArray(), levels)) {
      return (ObjectStreamClass) in.readObject();
    }
  }

  /** The levels of a descriptor, its own first: the reverse of {@link #bound}. */
  public static List<Level> levels(ObjectStreamClass streamClass) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    List<Class<?>> types = new ArrayList<>();
    try (ObjectOutputStream out = new NotingOutput(bytes, types)) {
      out.writeObject(streamClass);
    }
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
    in.readInt(); // the header
    List<Level> levels = new ArrayList<>();
    List<String> handles = new ArrayList<>();
    while (in.readByte() == ObjectStreamConstants.TC_CLASSDESC) {
      handles.add(null); // the descriptor's own
      levels.add(new Level(read(in, handles), types.get(levels.size())));
      in.readByte(); // the end of no annotation
    }
    return levels;
  }

  /** The class of this JVM that has these levels and no others; null if there is none. */
  public static @Nullable LocalClass local(List<Level> levels) {
    Class<?> type = levels.get(0).type;
    LocalClass first = type == null ? null : LocalClass.of(type);
    LocalClass local = first;
    for (Level level : levels) {
      if (local == null || local.type != level.type || !level.describes(local)) {
        return null;
      }
      local = local.superclass;
    }
    return local == null ? first : null;
  }

  static ClassDescription describeLocal(ObjectStreamClass streamClass) {
    try {
      return describe(streamClass);
    } catch (IOException e) {
      throw new UncheckedIOException("the JDK cannot describe " + streamClass.getName(), e);
    }
  }

  static ClassDescription describeArray(String name, long serialVersionUid) {
    try {
      return new ClassDescription(
          name, serialVersionUid, ObjectStreamConstants.SC_SERIALIZABLE, new FieldDescription[0]);
    } catch (InvalidClassException e) {
      throw new UncheckedIOException("an array class is not described so: " + name, e);
    }
  }

  private static void write(DataOutputStream out, ClassDescription description) throws IOException {
    out.writeUTF(description.name);
    out.writeLong(description.serialVersionUid);
    out.writeByte(description.flags);
    out.writeShort(description.fields.length);
    for (FieldDescription field : description.fields) {
      out.writeByte(field.code());
      out.writeUTF(field.name());
      if (!field.isPrimitive()) {
        out.writeByte(ObjectStreamConstants.TC_STRING);
        out.writeUTF(field.signature());
      }
    }
  }

  /**
   * Reads the content of a descriptor.
   *
   * @param handles the strings by handle; null for others
   */
  private static ClassDescription read(DataInputStream in, List<String> handles)
      throws IOException {
    String name = in.readUTF();
    long serialVersionUid = in.readLong();
    int flags = in.readUnsignedByte();
    FieldDescription[] fields = new FieldDescription[in.readUnsignedShort()];
    for (int i = 0; i < fields.length; i++) {
      char code = (char) in.readUnsignedByte();
      String fieldName = in.readUTF();
      boolean reference = code == 'L' || code == '[';
      String signature = reference ? readSignature(in, handles) : String.valueOf(code);
      fields[i] = new FieldDescription(code, fieldName, signature);
    }
    return new ClassDescription(name, serialVersionUid, flags, fields);
  }

  private static String readSignature(DataInputStream in, List<String> handles) throws IOException {
    if (in.readByte() != ObjectStreamConstants.TC_STRING) {
      return handles.get(in.readInt() - ObjectStreamConstants.baseWireHandle);
    }
    String signature = in.readUTF().intern();
    handles.add(signature);
    return signature;
  }

  /* Both streams are anonymous: captured variables, unlike fields, are set before super() runs. */

  private static void writeInHeader(OutputStream out, ObjectStreamClass streamClass)
      throws IOException {
    ObjectOutputStream stream =
        new ObjectOutputStream(out) {
          @Override
          protected void writeStreamHeader() throws IOException {
            writeClassDescriptor(streamClass);
          }
        };
    stream.flush();
  }

  private static ObjectStreamClass readInHeader(byte[] bytes)
      throws IOException, ClassNotFoundException {
    ObjectStreamClass[] result = new ObjectStreamClass[1];
    ClassNotFoundException[] failure = new ClassNotFoundException[1];
    new ObjectInputStream(new ByteArrayInputStream(bytes)) {
      @Override
      protected void readStreamHeader() throws IOException {
        try {
          result[0] = readClassDescriptor();
        } catch (ClassNotFoundException e) {
          failure[0] = e;
        }
      }
    }.close();
    if (failure[0] != null) {
      throw failure[0];
    }
    return result[0];
  }

  private static final class BindingInput extends ObjectInputStream {
    private final List<Level> levels;
    private int next;

    BindingInput(byte[] bytes, List<Level> levels) throws IOException {
      super(new ByteArrayInputStream(bytes));
      this.levels = levels;
      /* The filter of the JVM, of which the program's stream may have another in place. */
      if (getObjectInputFilter() != null && FilterFactory.isOfJdk()) {
        Permitted.get(this::letPass);
      }
    }

    private BindingInput letPass() {
      setObjectInputFilter(info -> ObjectInputFilter.Status.UNDECIDED);
      return this;
    }

    @Override
    protected @Nullable Class<?> resolveClass(ObjectStreamClass streamClass) {
      return levels.get(next++).type;
    }
  }

  /** Collects the classes that descriptors are bound to. */
  private static final class NotingOutput extends ObjectOutputStream {
    private final List<Class<?>> types;

    NotingOutput(OutputStream out, List<Class<?>> types) throws IOException {
      super(out);
      this.types = types;
    }

    @Override
    protected void annotateClass(Class<?> type) {
      types.add(type);
    }
  }
}
