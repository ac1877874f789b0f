package io.karmi.uka.field;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Stream for the JDK's default {@code readObject}, which asks it for the fields of one object after
 * the other. It carries no bytes. For one thread.
 */
final class GivenFields extends ObjectInputStream {
  private static final byte[] NO_PRIMITIVES = {};
  private static final @Nullable Object[] NO_REFERENCES = {};

  private final Values values = new Values();

  private GivenFields() throws IOException {}

  static GivenFields open() {
    try {
      return new GivenFields();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a stream without bytes does not fail
    }
  }

  /**
   * Offers the fields of an object.
   *
   * @param block has the primitives from {@code start} on
   */
  void give(NamedFields fields, byte[] block, int start, @Nullable Object[] references) {
    values.fields = fields;
    values.setBlock(block, fields.block.order, fields.block.width);
    values.start = start;
    values.references = references;
    values.cursor.reset();
  }

  /** Lets go of the values. */
  void clear() {
    values.setBlock(NO_PRIMITIVES, ByteOrder.LITTLE_ENDIAN, NumberWidth.FULL);
    values.references = NO_REFERENCES;
  }

  @Override
  public GetField readFields() {
    return values;
  }

  private static final class Values extends BlockGetField {
    @SuppressWarnings("NullAway.Init")
    private NamedFields fields;

    private int start;
    private @Nullable Object[] references = NO_REFERENCES;
    private final NamedFields.Cursor cursor = new NamedFields.Cursor();

    @Override
    protected int place(String name, Class<?> type) {
      return start + cursor.place(fields, name);
    }

    @Override
    public @Nullable Object get(String name, @Nullable Object absent) {
      return references[cursor.place(fields, name)];
    }

    @Override
    public @Nullable ObjectStreamClass getObjectStreamClass() {
      return null; // the JDK's default methods do not ask for it
    }

    @Override
    public boolean defaulted(String name) {
      return false;
    }
  }
}
