package io.karmi.uka.codec;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.engine.CompactNumbers;
import io.karmi.uka.engine.read.ReadContext;
import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.engine.read.Unmarshaler;
import io.karmi.uka.engine.write.Marshaler;
import io.karmi.uka.engine.write.ObjectMarshaler;
import io.karmi.uka.engine.write.ObjectWriter;
import io.karmi.uka.field.ContentHash;
import io.karmi.uka.format.Token;
import io.karmi.uka.format.uka.PlatformDescriptions;
import io.karmi.uka.platform.ReplacesItself;
import io.karmi.uka.strategy.ExternalReader;
import io.karmi.uka.strategy.GeneralMarshaler;
import io.karmi.uka.type.LocalClass;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutput;
import java.io.ObjectStreamConstants;
import java.io.OutputStream;
import java.io.StreamCorruptedException;
import java.nio.ByteOrder;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Codec of {@code java.time}, whose classes replace their objects by {@code java.time.Ser}: one
 * block. Durations, instants, and dates and times without a zone have a short form, of one or two
 * numbers of variable length. It has the kind in the lowest four bits.
 */
final class TimeCodec extends PlatformCodec {
  /** Name of the serial proxy. */
  static final String TIME = "java.time.Ser";

  /** In the place of a kind: the general form follows. */
  private static final int GENERAL = 0;

  private static final int DURATION = 1;
  private static final int INSTANT = 2;
  private static final int DATE = 3;
  private static final int TIME_OF_DAY = 4;
  private static final int DATE_TIME = 5;
  private static final int TIME_WITH_NANOS = 7;
  private static final int DATE_TIME_WITH_NANOS = 8;

  private static final int KIND_BITS = 4;
  private static final int KINDS = 1 << KIND_BITS;
  private static final int NEAR_YEAR = 2000;
  private static final int MONTHS = 12;
  private static final int DAYS = 31;
  private static final int DAY_SECONDS = 86_400;
  private static final int NANOS = 1_000_000_000;
  private static final int MICRO = 1_000;
  private static final int MILLI = 1_000_000;

  @Override
  @Nullable Object marshaler(LocalClass type, PlatformDescriptions table) {
    return type.name.equals(TIME) ? new ProxyMarshaler(type, table) : TimeMarshaler.of(type, table);
  }

  @Override
  Object readerByExpansion(ReadType type, Unmarshaler general, Unmarshaler expanding) {
    return general instanceof ExternalReader ? new TimeReader(type, general, expanding) : expanding;
  }

  @Override
  void expand(String name, ShortForms into) throws IOException {
    Object time = readShort(into.buffer);
    if (time != null) {
      ByteArrayOutputStream block = new ByteArrayOutputStream();
      Object proxy =
          LocalClass.of(time.getClass()).hooks().writeReplace(time, ReplacesItself.Format.OF_UKA);
      ((Externalizable) Objects.requireNonNull(proxy)).writeExternal(new BlockOutput(block));
      into.format.writeBlock(block.toByteArray(), 0, block.size());
      into.format.writeToken(Token.END_OF_BLOCKS);
    }
  }

  /** Primitives of a block. */
  private static final class BlockOutput extends DataOutputStream implements ObjectOutput {
    BlockOutput(OutputStream block) {
      super(block);
    }

    @Override
    public void writeObject(Object object) throws IOException {
      throw new NotSerializableException(object.getClass().getName());
    }
  }

  /**
   * Writes the short form of a date or time.
   *
   * @return false, and nothing has been written, if it has none
   */
  private static boolean writeShort(Object value, OutputBuffer out) throws IOException {
    if (value instanceof LocalDate date) {
      writeHead(DATE, numberOf(date), out);
      return true;
    }
    if (value instanceof LocalDateTime time) {
      long days = numberOf(time.toLocalDate());
      writeTime(DATE_TIME, DATE_TIME_WITH_NANOS, days, time.toLocalTime(), out);
      return true;
    }
    if (value instanceof LocalTime time) {
      writeTime(TIME_OF_DAY, TIME_WITH_NANOS, 0, time, out);
      return true;
    }
    if (value instanceof Instant instant) {
      return writeSeconds(INSTANT, instant.getEpochSecond(), instant.getNano(), out);
    }
    return value instanceof Duration duration
        && writeSeconds(DURATION, duration.getSeconds(), duration.getNano(), out);
  }

  private static long numberOf(LocalDate date) {
    long year = CompactNumbers.zigzag((long) date.getYear() - NEAR_YEAR);
    return (year * MONTHS + date.getMonthValue() - 1) * DAYS + date.getDayOfMonth() - 1;
  }

  private static void writeTime(
      int kind, int kindWithNanos, long days, LocalTime time, OutputBuffer out) throws IOException {
    int nanos = time.getNano();
    long second = days * DAY_SECONDS + time.toSecondOfDay();
    writeHead(nanos == 0 ? kind : kindWithNanos, second, out);
    if (nanos != 0) {
      writeNanos(nanos, out);
    }
  }

  private static boolean writeSeconds(int kind, long seconds, int nanos, OutputBuffer out)
      throws IOException {
    long value = CompactNumbers.zigzag(seconds);
    if (value >>> Long.SIZE - KIND_BITS != 0) {
      return false;
    }
    writeHead(kind, value, out);
    writeNanos(nanos, out);
    return true;
  }

  private static void writeHead(int kind, long value, OutputBuffer out) throws IOException {
    out.writeVarLong(value << KIND_BITS | kind);
  }

  /** Writes nanoseconds in units of 1, 1,000 or 1,000,000 ns; the lowest two bits have the unit. */
  private static void writeNanos(int nanos, OutputBuffer out) throws IOException {
    int unit = nanos % MILLI == 0 ? 2 : nanos % MICRO == 0 ? 1 : 0;
    out.writeVarInt(nanos / unitNanos(unit) << 2 | unit);
  }

  private static int unitNanos(int unit) {
    return unit == 0 ? 1 : unit == 1 ? MICRO : MILLI;
  }

  /** Reads a short form; null if the general form follows. */
  private static @Nullable Object readShort(InputBuffer in) throws IOException {
    long head = in.readVarLong();
    int kind = (int) head & KINDS - 1;
    long value = head >>> KIND_BITS;
    try {
      return switch (kind) {
        case GENERAL -> null;
        case DURATION -> Duration.ofSeconds(CompactNumbers.unzigzag(value), readNanos(in));
        case INSTANT -> Instant.ofEpochSecond(CompactNumbers.unzigzag(value), readNanos(in));
        case DATE -> date(value);
        case TIME_OF_DAY -> time(value, 0);
        case TIME_WITH_NANOS -> time(value, readNanos(in));
        case DATE_TIME -> dateTime(value, 0);
        case DATE_TIME_WITH_NANOS -> dateTime(value, readNanos(in));
        default -> throw new StreamCorruptedException("java.time: no short form of kind " + kind);
      };
    } catch (DateTimeException | ArithmeticException e) {
      StreamCorruptedException broken =
          new StreamCorruptedException("java.time: " + e.getMessage());
      broken.initCause(e);
      throw broken;
    }
  }

  private static int readNanos(InputBuffer in) throws IOException {
    int counted = in.readVarInt();
    long nanos = (long) (counted >>> 2) * unitNanos(counted & 3);
    if (nanos >= NANOS) {
      throw new StreamCorruptedException("java.time: " + nanos + " nanoseconds");
    }
    return (int) nanos;
  }

  private static LocalDate date(long value) {
    long months = value / DAYS;
    long year = CompactNumbers.unzigzag(months / MONTHS) + NEAR_YEAR;
    return LocalDate.of(
        Math.toIntExact(year), (int) (months % MONTHS) + 1, (int) (value % DAYS) + 1);
  }

  private static LocalTime time(long second, int nanos) {
    return LocalTime.ofSecondOfDay(second).withNano(nanos);
  }

  private static LocalDateTime dateTime(long value, int nanos) {
    return LocalDateTime.of(date(value / DAY_SECONDS), time(value % DAY_SECONDS, nanos));
  }

  /** Writer of the proxy: a block, behind a 0 where there could be a short form. */
  static final class ProxyMarshaler extends ObjectMarshaler {
    private final boolean described;

    ProxyMarshaler(LocalClass type, PlatformDescriptions table) {
      super(type);
      described = table.hasShortForm(type.description());
    }

    boolean isShort(ObjectWriter out) {
      return described
          && out.isCompact()
          && out.protocol() == ObjectStreamConstants.PROTOCOL_VERSION_2;
    }

    @Override
    public void marshal(ObjectWriter out, Object object) throws IOException {
      if (isShort(out)) {
        out.buffer.writeByte(GENERAL);
      }
      out.callbacks().writeExternal((Externalizable) object);
    }
  }

  /**
   * Writer of dates and times as their proxy, without making it. Only streams that replace objects,
   * or that a program observes, see the proxy.
   */
  static final class TimeMarshaler extends ObjectMarshaler {
    private final ObjectMarshaler replaced;
    private final ProxyMarshaler general;

    private TimeMarshaler(LocalClass replacement, LocalClass type, PlatformDescriptions table) {
      super(replacement);
      replaced = new GeneralMarshaler(type);
      general = new ProxyMarshaler(replacement, table);
    }

    /** The marshaler of a class; null if this JDK has no such proxy. */
    static @Nullable ObjectMarshaler of(LocalClass type, PlatformDescriptions table) {
      LocalClass replacement = PlatformMarshaler.replacement(TIME);
      return replacement == null ? null : new TimeMarshaler(replacement, type, table);
    }

    @Override
    public ContentHash content(ByteOrder order) {
      return ValueContent.INSTANCE;
    }

    @Override
    public Marshaler whenReplacing() {
      return replaced;
    }

    @Override
    public void marshal(ObjectWriter out, Object object) throws IOException {
      if (out.showsCalls() || !general.isShort(out) || !writeShort(object, out.buffer)) {
        general.marshal(out, Objects.requireNonNull(replaced.replace(object, out.format().kind())));
      }
    }
  }

  /** Reader of dates and times from their short form, unless a program sees the proxy's calls. */
  static final class TimeReader extends Unmarshaler {
    private final Unmarshaler general;
    private final Unmarshaler expanding;

    /**
     * Reader of a type.
     *
     * @param general reads the proxy
     * @param expanding expands short forms for it
     */
    TimeReader(ReadType type, Unmarshaler general, Unmarshaler expanding) {
      super(type);
      this.general = general;
      this.expanding = expanding;
    }

    @Override
    public boolean resolves() {
      return true;
    }

    @Override
    public boolean isLeaf() {
      return true;
    }

    @Override
    public @Nullable Object unmarshal(ReadContext in, boolean unshared) throws IOException {
      if (in.hooks.overridesCalls()) {
        return expanding.unmarshal(in, unshared);
      }
      Object time = readShort(in.buffer);
      if (time == null) {
        return general.unmarshal(in, unshared);
      }
      in.begin(time, type, unshared);
      in.check(time.getClass(), -1); // as of what the proxy resolves to
      return time;
    }

    @Override
    public @Nullable Object readShared(ReadContext in) throws IOException {
      Object time = in.hooks.overridesCalls() ? null : readShort(in.buffer);
      if (time == null) {
        Unmarshaler proxy = in.hooks.overridesCalls() ? expanding : general;
        return in.finish(type, proxy.unmarshal(in, false), false);
      }
      in.addLeaf(time);
      return time;
    }
  }
}
