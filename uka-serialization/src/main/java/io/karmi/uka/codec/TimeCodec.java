package io.karmi.uka.codec;

import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.engine.read.ReadContext;
import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.engine.read.Unmarshaler;
import io.karmi.uka.engine.write.Marshaler;
import io.karmi.uka.engine.write.ObjectMarshaler;
import io.karmi.uka.engine.write.ObjectWriter;
import io.karmi.uka.format.uka.PlatformDescriptions;
import io.karmi.uka.strategy.ExternalReader;
import io.karmi.uka.strategy.GeneralMarshaler;
import io.karmi.uka.type.LocalClass;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectStreamConstants;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Codec of {@code java.time}, whose classes replace their objects by {@code java.time.Ser}: one
 * block, which {@link TimeForms} makes shorter.
 */
final class TimeCodec extends PlatformCodec {
  /** Name of the serial proxy. */
  static final String TIME = "java.time.Ser";

  @Override
  @Nullable Object marshaler(LocalClass type, PlatformDescriptions table) {
    return type.name.equals(TIME)
        ? new TimeMarshaler(type, table)
        : TimeValueMarshaler.of(type, table);
  }

  @Override
  Object readerByExpansion(ReadType type, Unmarshaler general, Unmarshaler expanding) {
    return general instanceof ExternalReader ? new TimeReader(type, expanding) : expanding;
  }

  @Override
  void expand(String name, ShortForms into) throws IOException {
    TimeForms.expand(into.buffer, into.format);
  }

  /** Writer of the proxy. */
  static final class TimeMarshaler extends ObjectMarshaler {
    /** Bytes before the content of a short block: token and length. */
    private static final int BLOCK_BYTES = 2;

    private final boolean usual;

    TimeMarshaler(LocalClass type, PlatformDescriptions table) {
      super(type);
      usual = table.hasShortForm(type.description());
    }

    /** Whether the data begins with a short form, or with a 0. */
    boolean isShort(ObjectWriter out) {
      return usual && out.isCompact() && out.protocol() == ObjectStreamConstants.PROTOCOL_VERSION_2;
    }

    @Override
    public void marshal(ObjectWriter out, Object object) throws IOException {
      boolean isShort = isShort(out);
      OutputBuffer buffer = out.buffer;
      if (isShort) {
        /* Reserved together, so that the buffer keeps the block until it is shortened. */
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

    /** Writes the short form behind the block, and moves it into the place of the 0. */
    private static void shorten(OutputBuffer buffer, int start, int length) throws IOException {
      int end = buffer.position;
      if (TimeForms.shorten(buffer.bytes, start + BLOCK_BYTES, length, buffer)) {
        int shortened = buffer.position - end;
        System.arraycopy(buffer.bytes, end, buffer.bytes, start - 1, shortened);
        buffer.position = start - 1 + shortened;
      }
    }
  }

  /**
   * Writer of dates and times as their proxy, without making it. Only streams that replace objects,
   * or that a program observes, see the proxy.
   */
  static final class TimeValueMarshaler extends ObjectMarshaler {
    private final ObjectMarshaler replaced;
    private final TimeMarshaler general;

    private TimeValueMarshaler(
        LocalClass replacement, LocalClass type, PlatformDescriptions table) {
      super(replacement);
      replaced = new GeneralMarshaler(type);
      general = new TimeMarshaler(replacement, table);
    }

    /** The marshaler of a class; null if this JDK has no such proxy. */
    static @Nullable ObjectMarshaler of(LocalClass type, PlatformDescriptions table) {
      LocalClass replacement = PlatformMarshaler.replacement(TIME);
      return replacement == null ? null : new TimeValueMarshaler(replacement, type, table);
    }

    @Override
    public Marshaler whenReplacing() {
      return replaced;
    }

    @Override
    public void marshal(ObjectWriter out, Object object) throws IOException {
      if (out.showsCalls() || !general.isShort(out) || !TimeForms.write(object, out.buffer)) {
        general.marshal(out, Objects.requireNonNull(replaced.replace(object)));
      }
    }
  }

  /** Reader of dates and times from their short form, where no program observes the proxy. */
  static final class TimeReader extends Unmarshaler {
    private final Unmarshaler general;

    /**
     * Reader of a type.
     *
     * @param general reads the proxy
     */
    TimeReader(ReadType type, Unmarshaler general) {
      super(type);
      this.general = general;
    }

    @Override
    public boolean resolves() {
      return true;
    }

    @Override
    public @Nullable Object unmarshal(ReadContext in, boolean unshared) throws IOException {
      return general.unmarshal(in, unshared);
    }

    @Override
    public @Nullable Object readShared(ReadContext in) throws IOException {
      Object time = in.hooks.overridesCalls() ? null : TimeForms.read(in.buffer);
      if (time == null) {
        return in.finish(type, unmarshal(in, false), false);
      }
      in.addLeaf(time);
      return time;
    }

    @Override
    public int readRun(ReadContext in, int number, Object[] elements, int from, int to)
        throws IOException {
      int next = from;
      while (next < to && in.takesNext(number)) {
        elements[next++] = readShared(in);
      }
      return next;
    }
  }
}
