package io.karmi.uka.field;

import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Access that gets the fields, too, by the JDK's default methods for serialization libraries:
 * {@code writeObject} passes all fields of a class to {@code putFields()} of a stream.
 */
public final class StreamAccess extends StreamSetting {
  /** Uses before a provisional access is to be replaced. */
  private static final int MAXIMUM_USES = FieldwiseAccess.MAXIMUM_USES;

  private final boolean provisional;
  private int uses;

  /**
   * Access to be opened.
   *
   * @param provisional whether it is to be replaced after some uses
   */
  public StreamAccess(boolean provisional) {
    this.provisional = provisional;
  }

  @Override
  public boolean isProvisional() {
    return provisional;
  }

  @Override
  public boolean isDue() {
    return provisional && ++uses > MAXIMUM_USES;
  }

  @Override
  public void getPrimitives(Object object, byte[] bytes, int position) {
    NumberWidth.FULL.copy(
        values(object).bytes, 0, layout.block.codes, layout.block.width, bytes, position);
  }

  @Override
  public @Nullable Object getReference(Object object, int index) {
    return values(object).references[index];
  }

  @Override
  public void getReferences(Object object, @Nullable Object[] into) {
    StreamFields values = values(object);
    System.arraycopy(values.references, 0, into, 0, values.references.length);
  }

  @Override
  public void write(FieldSink sink, Object object, long opening, int openingBytes)
      throws IOException {
    StreamFields values = values(object);
    OutputBuffer buffer = sink.buffer;
    buffer.reserve(Long.BYTES + values.bytes.length);
    System.arraycopy(
        values.bytes, 0, buffer.bytes, buffer.position + openingBytes, values.bytes.length);
    endBlock(buffer, opening, openingBytes);
    for (@Nullable Object value : values.references) {
      sink.writeReference(value);
    }
  }
}
