package io.karmi.uka.engine.write;

import io.karmi.uka.field.BlockPutField;
import io.karmi.uka.type.ClassDescription;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.io.ObjectOutput;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Fields of one class of one object, set by name in a {@code writeObject} method. */
public final class PutFields extends BlockPutField {
  private final WriteContext writer;
  private final LocalClass level;
  private final ClassDescription description;
  private final ByteBuffer primitives;
  private final @Nullable Object[] references;

  public PutFields(WriteContext writer, LocalClass level) {
    this.writer = writer;
    this.level = level;
    description = level.description();
    primitives = ByteBuffer.allocate(description.primitiveBytes).order(writer.format().order());
    references = new @Nullable Object[description.references];
  }

  @Override
  public void put(String name, @Nullable Object value) {
    references[offset(name, Object.class)] = value;
  }

  @Override
  protected ByteBuffer place(String name, Class<?> type) {
    return primitives.position(offset(name, type));
  }

  private int offset(String name, Class<?> type) {
    int index = level.indexOf(name, type);
    if (index < 0) {
      throw new IllegalArgumentException("no such field " + name + " with type " + type);
    }
    return description.offsets[index];
  }

  /** Writes the fields as a program's own data, as the JDK does. */
  @Override
  @Deprecated(forRemoval = true)
  @SuppressWarnings("removal")
  public void write(ObjectOutput out) throws IOException {
    if (out != writer.hooks.stream()) {
      throw new IllegalArgumentException("wrong stream");
    }
    for (int i = 0; i < description.firstReference(); i++) {
      writePrimitive(out, description.fields[i].code(), description.offsets[i]);
    }
    for (int i = 0; i < references.length; i++) {
      if (level.isUnshared(description.firstReference() + i)) {
        throw new IOException("cannot write unshared object");
      }
      out.writeObject(references[i]);
    }
  }

  /* By value, as a program's own data is big-endian in every format. */
  private void writePrimitive(ObjectOutput out, char code, int offset) throws IOException {
    switch (code) {
      case 'Z', 'B' -> out.writeByte(primitives.get(offset));
      case 'C', 'S' -> out.writeShort(primitives.getShort(offset));
      case 'I', 'F' -> out.writeInt(primitives.getInt(offset));
      default -> out.writeLong(primitives.getLong(offset));
    }
  }

  /** Writes the fields as the default mechanism would. */
  public void writeTo(WriteContext to) throws IOException {
    to.buffer.writeBytes(primitives.array(), 0, primitives.capacity());
    if (!to.writeTogether(level, references)) {
      FieldsWriter.writeReferences(to, level, references);
    }
  }
}
