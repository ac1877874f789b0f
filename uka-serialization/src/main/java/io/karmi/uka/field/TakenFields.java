package io.karmi.uka.field;

import java.io.IOException;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Stream for the JDK's default {@code writeObject}, which puts the fields of one object there. */
final class TakenFields extends ObjectOutputStream {
  final byte[] block;
  final @Nullable Object[] references;
  private final NamedFields fields;

  TakenFields(NamedFields fields) throws IOException {
    this.fields = fields;
    block = new byte[fields.block.bytes];
    references = new @Nullable Object[fields.references()];
  }

  @Override
  public PutField putFields() {
    return new Values(ByteBuffer.wrap(block).order(fields.block.order));
  }

  @Override
  public void writeFields() {}

  private final class Values extends BlockPutField {
    private final ByteBuffer primitives;
    private final NamedFields.Cursor cursor = new NamedFields.Cursor();

    Values(ByteBuffer primitives) {
      this.primitives = primitives;
    }

    @Override
    protected ByteBuffer place(String name, Class<?> type) {
      return primitives.position(cursor.place(fields, name));
    }

    @Override
    public void put(String name, @Nullable Object value) {
      references[cursor.place(fields, name)] = value;
    }

    @Override
    @Deprecated
    public void write(ObjectOutput out) {
      throw new UnsupportedOperationException("these fields are not written to a stream");
    }
  }
}
