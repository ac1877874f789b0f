package io.karmi.uka.codec;

import io.karmi.uka.engine.read.Claims;
import io.karmi.uka.engine.read.DirectReader;
import io.karmi.uka.engine.read.ReadContext;
import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.engine.read.Unmarshaler;
import io.karmi.uka.engine.read.VmErrors;
import io.karmi.uka.strategy.SerializableReader;
import io.karmi.uka.type.ClassHooks;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reader of objects of the platform by public constructors, which fills them as the class's own
 * {@code readObject} does; the counterpart of {@link PlatformMarshaler}.
 *
 * <p>The filter sees the arrays that the class would show it. A collection has its handle before
 * its first element is read. Its size is a claim, for which memory is granted by {@link Claims}.
 */
public abstract class PlatformReader extends DirectReader {
  /** Reads by the class's own method. */
  final Unmarshaler general;

  /** Whether the data begins with a short form, or {@link ShortForms#GENERAL}. */
  private final boolean shortForm;

  /**
   * @param form short form of the data; null if it has none
   */
  PlatformReader(ReadType type, @Nullable ShortForm form) {
    super(type);
    shortForm = form != null;
    Unmarshaler byMethods = new SerializableReader(type);
    general = form == null ? byMethods : new ShortForms.Reader(type, form, byMethods);
  }

  /**
   * Reads the first number of the short form.
   *
   * @return that number, which is even, or {@link ShortForms#GENERAL}
   */
  final int readHead(ReadContext in) throws IOException {
    if (!shortForm) {
      return ShortForms.GENERAL;
    }
    int head = in.buffer.readVarInt();
    return (head & ShortForms.GENERAL) == 0 ? head : ShortForms.GENERAL;
  }

  /** Reads an object whose data is in the general form from here on. */
  final Unmarshaler behindHead() {
    return general instanceof ShortForms.Reader reader ? reader.general() : general;
  }

  /** Expands the short form that comes next. */
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
    } catch (IOException e) {
      throw e;
    } catch (StackOverflowError e) {
      throw VmErrors.endless(Objects.requireNonNull(type.type()), e);
    } catch (Throwable e) {
      throw ClassHooks.unexpected(e); // as from the class's own readObject
    }
  }

  /** Reads fields and data. Gives the object its handle, which is the current one on return. */
  abstract @Nullable Object read(ReadContext in, boolean unshared) throws IOException;

  static void beginBlock(ReadContext in) {
    in.blocks().setBlockMode(true);
  }

  /** Reads a size from the short form or a block. */
  final int readSize(ReadContext in) throws IOException {
    int head = readHead(in);
    return head == ShortForms.GENERAL ? readBlockInt(in) : head >>> 1;
  }

  /** Reads a number as a field, in the format's byte order. */
  static int readFieldInt(ReadContext in) throws IOException {
    int value = in.buffer().readInt();
    return in.isLittleEndian() ? value : Integer.reverseBytes(value);
  }

  /** Reads a number from a block, as {@code readInt} would. */
  static int readBlockInt(ReadContext in) throws IOException {
    if (in.format().takeBlock(Integer.BYTES)) {
      return takeInt(in);
    }
    beginBlock(in);
    return in.blocks().readInt();
  }

  /** Reads a number in a block that has begun, big-endian. */
  static int takeInt(ReadContext in) throws IOException {
    return Integer.reverseBytes(in.buffer().readInt());
  }

  /** Skips data that a later version may have written, and the end. */
  static void end(ReadContext in) throws IOException {
    if (in.blocks().isBlockMode() || !in.format().takeEnd()) {
      in.callbacks().skipCustomData();
    }
  }
}
