package io.karmi.uka.codec;

import io.karmi.uka.engine.write.ObjectMarshaler;
import io.karmi.uka.engine.write.ObjectWriter;
import io.karmi.uka.format.Token;
import io.karmi.uka.format.uka.PlatformDescriptions;
import io.karmi.uka.strategy.GeneralMarshaler;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Classes of the platform that write themselves, collections above all, read out by public methods:
 * the bytes are those that the class's own {@code writeObject} makes by calling the stream.
 *
 * <p>For these very classes only, since a subclass may do anything in its iterators; and not for
 * streams on which a program watches these calls. {@link PlatformReader} is the counterpart.
 */
public abstract class PlatformMarshaler extends ObjectMarshaler {
  private final ObjectMarshaler general;

  /** Whether this JDK describes the class as the format's short forms have it. */
  private final boolean usual;

  /**
   * @param table says which descriptions have a short form
   */
  PlatformMarshaler(LocalClass type, PlatformDescriptions table) {
    super(type);
    general = new GeneralMarshaler(type);
    usual = table.hasShortForm(type.description());
  }

  /** Whether the data of objects begins with a short form, or with a sign that there is none. */
  final boolean isShort(ObjectWriter out) {
    return usual && out.isCompact();
  }

  /** Writes that the general form follows, where there could be a short one. */
  void beginGeneral(ObjectWriter out) throws IOException {
    if (isShort(out)) {
      out.buffer.writeVarInt(ShortForms.GENERAL);
    }
  }

  /** Writes a size as the short form, or in a block. */
  final void writeSize(ObjectWriter out, int size) throws IOException {
    if (isShort(out)) {
      out.buffer.writeVarInt(size << 1);
    } else {
      writeSizeBlock(out, size);
    }
  }

  static void writeSizeBlock(ObjectWriter out, int size) throws IOException {
    out.format().openBlock(Integer.BYTES);
    writeBlockInt(out, size);
  }

  /** The platform's class of this name that replaces objects of another; null if there is none. */
  static @Nullable LocalClass replacement(String name) {
    Class<?> type = PlatformCodec.find(name);
    return type == null ? null : LocalClass.of(type);
  }

  @Override
  public final void marshal(ObjectWriter out, Object object) throws IOException {
    if (out.showsCalls() || !writeContent(out, object)) {
      beginGeneral(out);
      general.marshal(out, replacement(object));
    }
  }

  /** The object that the class's own method is called on. */
  Object replacement(Object object) throws IOException {
    return object;
  }

  /**
   * Writes all fields and data of the object.
   *
   * @return false, and nothing has been written, if it takes the class's own method to know them
   */
  abstract boolean writeContent(ObjectWriter out, Object object) throws IOException;

  /** Writes a number as the field it is, in the format's byte order. */
  static void writeFieldInt(ObjectWriter out, int value) throws IOException {
    out.buffer.writeInt(out.isLittleEndian() ? value : Integer.reverseBytes(value));
  }

  /** Writes a number into a block, where the highest byte comes first. */
  static void writeBlockInt(ObjectWriter out, int value) throws IOException {
    out.buffer.writeInt(Integer.reverseBytes(value));
  }

  static void end(ObjectWriter out) throws IOException {
    out.format().writeToken(Token.END_OF_BLOCKS);
  }
}
