package io.karmi.uka.codec;

import io.karmi.uka.engine.write.ObjectMarshaler;
import io.karmi.uka.engine.write.ObjectWriter;
import io.karmi.uka.format.Token;
import io.karmi.uka.format.uka.PlatformDescriptions;
import io.karmi.uka.strategy.GeneralMarshaler;
import io.karmi.uka.type.ClassHooks;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Writer of objects of the platform by public methods. The bytes are those that the class's own
 * {@code writeObject} makes by calling the stream.
 *
 * <p>It serves the very class only, as a subclass may do anything in its iterators, and no stream
 * on which a program observes the calls. {@link PlatformReader} is the counterpart.
 */
public abstract class PlatformMarshaler extends ObjectMarshaler {
  private final ObjectMarshaler general;

  /** Whether this JDK describes the class as the short form expects. */
  private final boolean described;

  /**
   * @param table says which descriptions have a short form
   */
  PlatformMarshaler(LocalClass type, PlatformDescriptions table) {
    super(type);
    general = new GeneralMarshaler(type);
    described = table.hasShortForm(type.description());
  }

  /** Whether the data begins with a short form, or with {@link ShortForms#GENERAL}. */
  final boolean isShort(ObjectWriter out) {
    return described && out.isCompact();
  }

  /** Writes {@link ShortForms#GENERAL}, where there could be a short form. */
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

  /** The platform's class of this name, or null. */
  static @Nullable LocalClass replacement(String name) {
    Class<?> type = PlatformCodec.find(name);
    return type == null ? null : LocalClass.of(type);
  }

  @Override
  public final void marshal(ObjectWriter out, Object object) throws IOException {
    try {
      if (out.showsCalls() || !writeContent(out, object)) {
        beginGeneral(out);
        general.marshal(out, replacement(object));
      }
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw ClassHooks.unexpected(e); // as from the class's own writeObject
    }
  }

  /** The object that is written by the class's own method. */
  Object replacement(Object object) throws IOException {
    return object;
  }

  /**
   * Writes all fields and data of the object.
   *
   * @return false, and nothing has been written, if only the class's own method can
   */
  abstract boolean writeContent(ObjectWriter out, Object object) throws IOException;

  /** Writes a number as a field, in the format's byte order. */
  static void writeFieldInt(ObjectWriter out, int value) throws IOException {
    out.buffer.writeInt(out.isLittleEndian() ? value : Integer.reverseBytes(value));
  }

  /** Writes a number into a block, big-endian. */
  static void writeBlockInt(ObjectWriter out, int value) throws IOException {
    out.buffer.writeInt(Integer.reverseBytes(value));
  }

  static void end(ObjectWriter out) throws IOException {
    out.format().writeToken(Token.END_OF_BLOCKS);
  }
}
