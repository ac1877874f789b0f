package io.karmi.uka.codec;

import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.engine.write.ObjectMarshaler;
import io.karmi.uka.engine.write.ObjectWriter;
import io.karmi.uka.format.uka.UkaFormatWriter;
import io.karmi.uka.type.LocalClass;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectStreamConstants;

/**
 * What stands for dates and times in a stream, which writes one block: {@link TimeForms} makes it
 * shorter.
 */
public final class TimeMarshaler extends ObjectMarshaler {
  /** Of a short block: token and length. */
  private static final int BLOCK_BYTES = 2;

  private final boolean usual;

  TimeMarshaler(LocalClass type) {
    super(type);
    usual = UkaFormatWriter.hasShortForm(type.description());
  }

  /** Whether what is written begins with a short form, or with a sign that there is none. */
  boolean isShort(ObjectWriter out) {
    return usual && out.isCompact() && out.protocol() == ObjectStreamConstants.PROTOCOL_VERSION_2;
  }

  @Override
  public void marshal(ObjectWriter out, Object object) throws IOException {
    boolean isShort = isShort(out);
    OutputBuffer buffer = out.buffer;
    if (isShort) {
      /* So much room that the buffer keeps what is made shorter. */
      buffer.reserve(4 * TimeForms.MOST_BYTES);
      buffer.writeByte(0);
    }
    int start = buffer.position;
    out.callbacks().writeExternal((Externalizable) object);
    int length = buffer.position - start - BLOCK_BYTES - 1;
    if (isShort
        && length > 0
        && length <= TimeForms.MOST_BYTES
        && buffer.bytes[start + 1] == length) {
      shorten(buffer, start, length);
    }
  }

  /**
   * Writes the short form behind the block, and moves it to where its sign is that there is none.
   */
  private static void shorten(OutputBuffer buffer, int start, int length) throws IOException {
    int end = buffer.position;
    if (TimeForms.shorten(buffer.bytes, start + BLOCK_BYTES, length, buffer)) {
      int shortened = buffer.position - end;
      System.arraycopy(buffer.bytes, end, buffer.bytes, start - 1, shortened);
      buffer.position = start - 1 + shortened;
    }
  }
}
