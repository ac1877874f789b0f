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
  private final LocalFields fields;

  TakenFields(LocalFields fields) throws IOException {
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
    private int next;

    Values(ByteBuffer primitives) {
      this.primitives = primitives;
    }

    private int find(String name) {
      int index = fields.indexOf(name, next);
      if (index < 0) {
        throw new IllegalArgumentException("no such field: " + name);
      }
      next = index + 1;
      return fields.place(index);
    }

    @Override
    protected ByteBuffer place(String name, Class<?> type) {
      return primitives.position(find(name));
    }

    @Override
    public void put(String name, @Nullable Object value) {
      references[find(name)] = value;
    }

    @Override
    @Deprecated
    public void write(ObjectOutput out) {
      throw new UnsupportedOperationException("these fields are not written to a stream");
    }
  }
}
