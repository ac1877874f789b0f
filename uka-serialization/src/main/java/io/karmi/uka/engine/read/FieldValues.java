package io.karmi.uka.engine.read;

import io.karmi.uka.engine.Sneaky;
import io.karmi.uka.engine.read.cost.MethodCost;
import io.karmi.uka.field.BlockGetField;
import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.field.NumberWidth;
import io.karmi.uka.platform.Permitted;
import io.karmi.uka.type.ClassDescription;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectStreamClass;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Values of the fields of one class of one object, read and not set yet; also the result of {@code
 * readFields}.
 */
public final class FieldValues extends BlockGetField {
  private static final boolean MISSING_CLASS_READS_NULL =
      Permitted.hasFlag("jdk.serialGetFieldCnfeReturnsNull");

  private final ReadContext reader;
  private final ClassLevel level;
  private final ByteOrder order;
  private final byte[] primitives;
  private final @Nullable Object[] references;
  private final int[] handles;

  /* State outside the object, restored behind its references. */
  private final long open;
  private final long unproven;

  /**
   * Reads all values.
   *
   * @param dependent whether the object depends on what its fields refer to
   */
  public FieldValues(ReadContext reader, ClassLevel level, boolean dependent) throws IOException {
    this(reader, level);
    int owner = reader.currentHandle();
    for (int i = 0; i < references.length; i++) {
      beginReference(i);
      references[i] = reader.readNested(level.isUnshared(i));
      handles[i] = reader.currentHandle();
      if (dependent && level.isBound(i)) {
        reader.handles().depend(owner, handles[i]);
      }
    }
    endReferences();
    reader.setCurrentHandle(owner);
  }

  /** Reads the primitives, and leaves the references to {@link #accept}. */
  public FieldValues(ReadContext reader, ClassLevel level) throws IOException {
    this.reader = reader;
    this.level = level;
    order = reader.format().order();
    ClassDescription description = level.description;
    primitives = new byte[description.primitiveBytes];
    setBlock(primitives, order, NumberWidth.FULL);
    if (level.width == NumberWidth.FULL) {
      reader.buffer().readBytes(primitives, 0, primitives.length);
    } else {
      readNarrow();
    }
    open = reader.claims().open;
    unproven = reader.claims().unproven;
    reader.claims().admit(description.references);
    references = new @Nullable Object[description.references];
    handles = new int[references.length];
  }

  /** Claims the references behind the one that is read next. */
  public void beginReference(int index) {
    if (references.length > Claims.FEW) {
      reader.claims().open = open + references.length - 1 - index;
    }
  }

  private void endReferences() {
    if (references.length > Claims.FEW) {
      reader.claims().restore(open, unproven);
    }
  }

  private void readNarrow() throws IOException {
    byte[] block = new byte[level.width.sizeOf(level.primitives)];
    reader.buffer().readBytes(block, 0, block.length);
    level.width.copy(block, 0, level.primitives, NumberWidth.FULL, primitives, 0);
  }

  /** Reads the references of the object with handle {@code owner}, which depends on them. */
  public void readReferences(int owner) throws IOException {
    for (int i = 0; i < references.length; i++) {
      beginReference(i);
      if (level.isBound(i) && !level.isUnshared(i)) {
        references[i] = reader.readReference(owner);
      } else {
        accept(owner, i, reader.readNested(level.isUnshared(i)));
        reader.setCurrentHandle(owner);
      }
    }
    endReferences();
  }

  public ByteOrder order() {
    return order;
  }

  public int references() {
    return references.length;
  }

  public boolean isUnshared(int index) {
    return level.isUnshared(index);
  }

  /**
   * Keeps a reference of the object with handle {@code owner}. The value's handle is the current
   * one.
   */
  public void accept(int owner, int index, @Nullable Object value) {
    references[index] = value;
    handles[index] = reader.currentHandle();
    if (level.isBound(index)) {
      reader.handles().depend(owner, handles[index]);
    }
    if (index == references.length - 1) {
      endReferences();
    }
  }

  /** Refuses values that do not fit their fields. */
  public void check(Object object) throws InvalidClassException {
    if (references.length > 0 && level.local != null) {
      FieldAccess access = level.fullAccess(order);
      for (int i = 0; i < references.length; i++) {
        access.checkReference(object, i, references[i]);
      }
    }
  }

  /** Sets the fields of {@code object}, unless it has no such class here. */
  public void set(Object object) throws InvalidClassException {
    if (level.local != null
        && !level.isDropped()
        && (primitives.length > 0 || references.length > 0)) {
      level.fullAccess(order).setFields(reader, object, primitives, 0, references);
    }
  }

  /** Counts the references for a method of the platform that gets them. */
  void addTo(MethodCost method) throws IOException {
    for (Object each : references) {
      method.addField(each);
    }
  }

  /** The value of one of the stream's fields, boxed. */
  public @Nullable Object boxed(int field) {
    int offset = level.description.offsets[field];
    return switch (level.description.fields[field].code()) {
      case 'Z' -> primitives[offset] != 0;
      case 'B' -> primitives[offset];
      case 'C' -> block().getChar(offset);
      case 'S' -> block().getShort(offset);
      case 'I' -> block().getInt(offset);
      case 'F' -> block().getFloat(offset);
      case 'J' -> block().getLong(offset);
      case 'D' -> block().getDouble(offset);
      default -> references[offset];
    };
  }

  private ByteBuffer block() {
    return ByteBuffer.wrap(primitives).order(order);
  }

  @Override
  public @Nullable ObjectStreamClass getObjectStreamClass() {
    try {
      return level.streamClass();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public boolean defaulted(String name) {
    return level.indexOf(name, null) < 0;
  }

  /* JDKs before 20 declare no ClassNotFoundException here, and return null. */
  @Override
  public @Nullable Object get(String name, @Nullable Object value) throws IOException {
    int offset = offset(name, Object.class);
    if (offset < 0) {
      return value;
    }
    reader.handles().depend(reader.currentHandle(), handles[offset]);
    ClassNotFoundException failure = reader.handles().failure(handles[offset]);
    if (failure == null) {
      return references[offset];
    }
    if (MISSING_CLASS_READS_NULL || Runtime.version().feature() < 20) {
      return null;
    }
    throw Sneaky.<RuntimeException>sneak(failure);
  }

  @Override
  protected int place(String name, Class<?> type) {
    return offset(name, type);
  }

  private int offset(String name, Class<?> type) {
    int index = level.indexOf(name, type);
    return index < 0 ? -1 : level.description.offsets[index];
  }
}
