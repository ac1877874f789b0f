package io.karmi.uka.codec;

import io.karmi.uka.engine.read.Claims;
import io.karmi.uka.engine.read.DirectReader;
import io.karmi.uka.engine.read.ReadContext;
import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.engine.read.Unmarshaler;
import io.karmi.uka.engine.read.VmErrors;
import io.karmi.uka.strategy.SerializableReader;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Classes of the platform that read themselves, collections above all, made by public constructors
 * and filled as the class's own {@code readObject} fills them: the counterpart of {@link
 * PlatformMarshaler}.
 *
 * <p>A filter is shown the arrays that the class would show it. A collection has its handle before
 * its first element is read. The size is a claim of the sender's; memory is taken for as many
 * elements as bytes have arrived.
 */
public abstract class PlatformReader extends DirectReader {
  /** The way by the class's own method. */
  final Unmarshaler general;

  /** Whether the data of objects begins with a short form. */
  private final boolean shortForm;

  /**
   * @param form that the data of objects has; null if it has none
   */
  PlatformReader(ReadType type, @Nullable ShortForm form) {
    super(type);
    shortForm = form != null;
    Unmarshaler byMethods = new SerializableReader(type);
    general = form == null ? byMethods : new ShortForms.Reader(type, form, byMethods);
  }

  /**
   * Reads what the data begins with where it has a short form.
   *
   * @return a number whose lowest bit is not set, or {@link ShortForms#GENERAL}
   */
  final int readHead(ReadContext in) throws IOException {
    if (!shortForm) {
      return ShortForms.GENERAL;
    }
    int head = in.buffer.readVarInt();
    return (head & ShortForms.GENERAL) == 0 ? head : ShortForms.GENERAL;
  }

  /** What reads an object whose data begins with the general form. */
  final Unmarshaler behindHead() {
    return general instanceof ShortForms.Reader reader ? reader.general() : general;
  }

  /** Puts the general form in the place of the short one that comes next, which the class has. */
  final void expand(ReadContext in) throws IOException {
    ((ShortForms.Reader) general).expand(in);
  }

  final boolean hasShortForm() {
    return shortForm;
  }

  @Override
  public final @Nullable Object unmarshal(ReadContext in, boolean unshared) throws IOException {
    if (in.hooks.overridesCalls()) {
      return general.unmarshal(in, unshared);
    }
    Claims claims = in.claims();
    long open = claims.open;
    long unproven = claims.unproven;
    try {
      Object object = read(in, unshared);
      claims.restore(open, unproven);
      return object;
    } catch (StackOverflowError e) {
      throw VmErrors.endless(Objects.requireNonNull(type.type()), e);
    }
  }

  /** Reads fields and data. Gives the object its handle, which is the current one on return. */
  abstract @Nullable Object read(ReadContext in, boolean unshared) throws IOException;

  static void beginBlock(ReadContext in) {
    in.blocks().setBlockMode(true);
  }

  /** Reads how many elements there are, from the short form or a block. */
  final int readSize(ReadContext in) throws IOException {
    int head = readHead(in);
    return head == ShortForms.GENERAL ? readBlockInt(in) : head >>> 1;
  }

  /** Reads a number as the field it is, in the format's byte order. */
  static int readFieldInt(ReadContext in) throws IOException {
    int value = in.buffer().readInt();
    return in.isLittleEndian() ? value : Integer.reverseBytes(value);
  }

  /** Reads a block of one number; if it is longer, or there is none, as the program would. */
  static int readBlockInt(ReadContext in) throws IOException {
    if (in.format().takeBlock(Integer.BYTES)) {
      return takeInt(in);
    }
    beginBlock(in);
    return in.blocks().readInt();
  }

  /** Takes a number from a block that has been taken: the highest byte comes first. */
  static int takeInt(ReadContext in) throws IOException {
    return Integer.reverseBytes(in.buffer().readInt());
  }

  /** Skips what a later version may have written, and the end. */
  static void end(ReadContext in) throws IOException {
    if (in.blocks().isBlockMode() || !in.format().takeEnd()) {
      in.callbacks().skipCustomData();
    }
  }
}
