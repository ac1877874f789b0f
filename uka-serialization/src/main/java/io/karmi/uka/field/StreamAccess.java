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
    byte[] block = fullBlock(values(object));
    NumberWidth.FULL.copy(block, 0, layout.block.codes, layout.block.width, bytes, position);
  }

  @Override
  public @Nullable Object getReference(Object object, int index) {
    return reference(values(object), index);
  }

  @Override
  public void getReferences(Object object, @Nullable Object[] into) {
    TakenFields values = values(object);
    for (int i = 0; i < layout.referenceCount(); i++) {
      into[i] = reference(values, i);
    }
  }

  @Override
  public void write(FieldSink sink, Object object, long opening, int openingBytes)
      throws IOException {
    TakenFields values = values(object);
    byte[] block = fullBlock(values);
    OutputBuffer buffer = sink.buffer;
    buffer.reserve(Long.BYTES + block.length);
    System.arraycopy(block, 0, buffer.bytes, buffer.position + openingBytes, block.length);
    endBlock(buffer, opening, openingBytes);
    for (int i = 0; i < layout.referenceCount(); i++) {
      sink.writeReference(reference(values, i));
    }
  }
}
