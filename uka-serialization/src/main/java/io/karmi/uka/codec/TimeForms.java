package io.karmi.uka.codec;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.engine.CompactNumbers;
import io.karmi.uka.format.FormatWriter;
import io.karmi.uka.format.Token;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import org.jspecify.annotations.Nullable;

/**
 * Short form of dates and times: numbers of variable length in the place of the block that {@code
 * java.time} writes, whose layout is specified.
 *
 * <p>The first number has the kind in its lowest four bits: that of the block's first byte, or one
 * of its own. Kind 0 says that the general form follows.
 */
final class TimeForms {
  private static final int GENERAL = 0;
  private static final int DURATION = 1;
  private static final int INSTANT = 2;
  private static final int DATE = 3;
  private static final int TIME = 4;
  private static final int DATE_TIME = 5;
  private static final int ZONED = 6;
  private static final int OFFSET = 10;
  private static final int YEAR_MONTH = 12;

  /* Kinds with nanoseconds behind the first number. */
  private static final int TIME_NANOS = 7;

  private static final int DATE_TIME_NANOS = 8;
  private static final int ZONED_NANOS = 9;
  private static final int OFFSET_NANOS = 11;

  private static final int KIND_BITS = 4;
  private static final int KINDS = 1 << KIND_BITS;
  private static final int USUAL_YEAR = 2000;
  private static final int MONTHS = 12;
  private static final int DAYS = 31;
  private static final int DAY_SECONDS = 86_400;
  private static final int HOUR_SECONDS = 3_600;
  private static final int MINUTE_SECONDS = 60;
  private static final int NANOS = 1_000_000_000;
  private static final int MICRO = 1_000;
  private static final int MILLI = 1_000_000;

  /** Longest block that is shortened, in bytes. */
  static final int MOST_BYTES = 64;

  private TimeForms() {}

  /**
   * Writes the short form of a block.
   *
   * @return false, and nothing has been written, if it has none
   */
  static boolean shorten(byte[] block, int start, int length, OutputBuffer out) throws IOException {
    ByteBuffer in = ByteBuffer.wrap(block, start, length);
    int mark = out.position;
    boolean done = in.remaining() > 0 && shorten(in, in.get(), out) && in.remaining() == 0;
    if (!done) {
      out.position = mark;
    }
    return done;
  }

  private static boolean shorten(ByteBuffer in, int kind, OutputBuffer out) throws IOException {
    switch (kind) {
      case DURATION, INSTANT:
        return in.remaining() == Long.BYTES + Integer.BYTES
            && shortenSeconds(kind, in.getLong(), in.getInt(), out);
      case DATE, YEAR_MONTH:
        long days = kind == DATE ? takeDate(in) : takeMonth(in);
        return days >= 0 && writeHead(kind, days, out);
      case TIME:
        return shortenTime(kind, TIME_NANOS, 0, in, out);
      case DATE_TIME:
        return shortenTime(kind, DATE_TIME_NANOS, takeDate(in), in, out);
      case OFFSET:
        return shortenTime(kind, OFFSET_NANOS, takeDate(in), in, out) && copyRest(in, out);
      case ZONED:
        return shortenTime(kind, ZONED_NANOS, takeDate(in), in, out) && copyRest(in, out);
      default:
        return false;
    }
  }

  /**
   * Writes the short form of a date or time.
   *
   * @return false, and nothing has been written, if it has none
   */
  static boolean write(Object value, OutputBuffer out) throws IOException {
    if (value instanceof LocalDate date) {
      return writeHead(DATE, numberOf(date), out);
    }
    if (value instanceof LocalDateTime time) {
      long days = numberOf(time.toLocalDate());
      return writeTime(DATE_TIME, DATE_TIME_NANOS, days, time.toLocalTime(), out);
    }
    if (value instanceof LocalTime time) {
      return writeTime(TIME, TIME_NANOS, 0, time, out);
    }
    if (value instanceof Instant instant) {
      return shortenSeconds(INSTANT, instant.getEpochSecond(), instant.getNano(), out);
    }
    return value instanceof Duration duration
        && shortenSeconds(DURATION, duration.getSeconds(), duration.getNano(), out);
  }

  private static long numberOf(LocalDate date) {
    long year = CompactNumbers.zigzag((long) date.getYear() - USUAL_YEAR);
    return (year * MONTHS + date.getMonthValue() - 1) * DAYS + date.getDayOfMonth() - 1;
  }

  private static boolean writeTime(
      int kind, int kindWithNanos, long date, LocalTime time, OutputBuffer out) throws IOException {
    return writeTime(kind, kindWithNanos, date, time.toSecondOfDay(), time.getNano(), out);
  }

  private static boolean writeTime(
      int kind, int kindWithNanos, long date, long second, int nanos, OutputBuffer out)
      throws IOException {
    writeHead(nanos == 0 ? kind : kindWithNanos, date * DAY_SECONDS + second, out);
    if (nanos != 0) {
      writeNanos(nanos, out);
    }
    return true;
  }

  private static boolean writeHead(int kind, long value, OutputBuffer out) throws IOException {
    out.writeVarLong(value << KIND_BITS | kind);
    return true;
  }

  private static boolean shortenSeconds(int kind, long seconds, int nanos, OutputBuffer out)
      throws IOException {
    long value = CompactNumbers.zigzag(seconds);
    if (value >>> Long.SIZE - KIND_BITS != 0 || nanos < 0 || nanos >= NANOS) {
      return false;
    }
    writeHead(kind, value, out);
    writeNanos(nanos, out);
    return true;
  }

  /** Writes nanoseconds in units of 1, 1,000 or 1,000,000 ns; the lowest two bits have the unit. */
  private static void writeNanos(int nanos, OutputBuffer out) throws IOException {
    int unit = nanos % MILLI == 0 ? 2 : nanos % MICRO == 0 ? 1 : 0;
    out.writeVarInt(nanos / unitNanos(unit) << 2 | unit);
  }

  private static int unitNanos(int unit) {
    return unit == 0 ? 1 : unit == 1 ? MICRO : MILLI;
  }

  /** The month, in zigzag order from {@link #USUAL_YEAR} on; -1 if there is none. */
  private static long takeMonth(ByteBuffer in) {
    if (in.remaining() < Integer.BYTES + 1) {
      return -1;
    }
    long year = CompactNumbers.zigzag((long) in.getInt() - USUAL_YEAR);
    int month = in.get() - 1;
    return month < 0 || month >= MONTHS ? -1 : year * MONTHS + month;
  }

  private static long takeDate(ByteBuffer in) {
    long month = takeMonth(in);
    int day = in.hasRemaining() ? in.get() - 1 : -1;
    return month < 0 || day < 0 || day >= DAYS ? -1 : month * DAYS + day;
  }

  private static boolean shortenTime(
      int kind, int kindWithNanos, long date, ByteBuffer in, OutputBuffer out) throws IOException {
    int nanos = 0;
    int hour = takePart(in);
    int minute = 0;
    int second = 0;
    if (hour < 0) {
      hour = ~hour;
    } else {
      minute = takePart(in);
      if (minute < 0) {
        minute = ~minute;
      } else {
        second = takePart(in);
        if (second < 0) {
          second = ~second;
        } else if (in.remaining() >= Integer.BYTES) {
          nanos = in.getInt();
        }
      }
    }
    boolean valid = hour < 24 && minute < 60 && second < 60 && nanos >= 0 && nanos < NANOS;
    if (date < 0 || !valid) {
      return false;
    }
    long seconds = (long) hour * HOUR_SECONDS + minute * MINUTE_SECONDS + second;
    return writeTime(kind, kindWithNanos, date, seconds, nanos, out);
  }

  /** The next part, as ~ if it is the last one; a number that is too large if there is none. */
  private static int takePart(ByteBuffer in) {
    return in.hasRemaining() ? in.get() : Byte.MAX_VALUE;
  }

  private static boolean copyRest(ByteBuffer in, OutputBuffer out) throws IOException {
    int length = in.remaining();
    out.writeByte(length);
    out.writeBytes(in.array(), in.position(), length);
    in.position(in.limit());
    return true;
  }

  /**
   * Reads a date or time.
   *
   * @return null, and nothing has been read, if it is in the general form or invalid
   */
  static @Nullable Object read(InputBuffer in) throws IOException {
    long head = in.readVarLong();
    int kind = (int) head & KINDS - 1;
    boolean hasNanos =
        kind == DURATION || kind == INSTANT || kind == TIME_NANOS || kind == DATE_TIME_NANOS;
    int nanos = hasNanos ? in.readVarInt() : 0;
    Object value = make(kind, head >>> KIND_BITS, nanos);
    if (value == null) {
      OutputBuffer text = new OutputBuffer(MOST_BYTES);
      text.writeVarLong(head);
      if (hasNanos) {
        text.writeVarInt(nanos);
      }
      in.unread(text.bytes, text.position);
    }
    return value;
  }

  private static @Nullable Object make(int kind, long value, int countedNanos) {
    int nanos = nanos(countedNanos);
    if (nanos < 0 || nanos >= NANOS) {
      return null;
    }
    try {
      return switch (kind) {
        case DURATION -> Duration.ofSeconds(CompactNumbers.unzigzag(value), nanos);
        case INSTANT -> Instant.ofEpochSecond(CompactNumbers.unzigzag(value), nanos);
        case DATE -> date(value);
        case TIME, TIME_NANOS -> time(value, nanos);
        case DATE_TIME, DATE_TIME_NANOS ->
            LocalDateTime.of(date(value / DAY_SECONDS), time(value % DAY_SECONDS, nanos));
        default -> null;
      };
    } catch (DateTimeException | ArithmeticException e) {
      return null;
    }
  }

  private static LocalDate date(long value) {
    long months = value / DAYS;
    long year = CompactNumbers.unzigzag(months / MONTHS) + USUAL_YEAR;
    return LocalDate.of((int) year, (int) (months % MONTHS) + 1, (int) (value % DAYS) + 1);
  }

  private static LocalTime time(long second, int nanos) {
    return LocalTime.ofSecondOfDay(second).withNano(nanos);
  }

  /**
   * Reads a short form, and writes the block and its end; nothing if the general form follows.
   * Invalid values are left to the class that reads the block.
   */
  static void expand(InputBuffer in, FormatWriter format) throws IOException {
    long head = in.readVarLong();
    int kind = (int) head & KINDS - 1;
    if (kind == GENERAL) {
      return;
    }
    ByteBuffer block = ByteBuffer.allocate(MOST_BYTES + 0xFF);
    expand(kind, head >>> KIND_BITS, in, block);
    format.writeBlock(block.array(), 0, block.position());
    format.writeToken(Token.END_OF_BLOCKS);
  }

  private static void expand(int kind, long value, InputBuffer in, ByteBuffer block)
      throws IOException {
    switch (kind) {
      case DURATION, INSTANT -> {
        block.put((byte) kind).putLong(CompactNumbers.unzigzag(value)).putInt(readNanos(in));
      }
      case DATE -> putDate(block.put((byte) DATE), value);
      case YEAR_MONTH -> putMonth(block.put((byte) YEAR_MONTH), value);
      case TIME -> putTime(block.put((byte) TIME), value, 0);
      case TIME_NANOS -> putTime(block.put((byte) TIME), value, readNanos(in));
      case DATE_TIME -> putDateTime(block.put((byte) DATE_TIME), value, 0, null);
      case DATE_TIME_NANOS -> putDateTime(block.put((byte) DATE_TIME), value, readNanos(in), null);
      case OFFSET -> putDateTime(block.put((byte) OFFSET), value, 0, in);
      case OFFSET_NANOS -> putDateTime(block.put((byte) OFFSET), value, readNanos(in), in);
      case ZONED -> putDateTime(block.put((byte) ZONED), value, 0, in);
      case ZONED_NANOS -> putDateTime(block.put((byte) ZONED), value, readNanos(in), in);
      default -> block.put((byte) kind);
    }
  }

  private static int readNanos(InputBuffer in) throws IOException {
    return nanos(in.readVarInt());
  }

  private static int nanos(int counted) {
    return (counted >>> 2) * unitNanos(counted & 3);
  }

  private static ByteBuffer putMonth(ByteBuffer block, long value) {
    long year = CompactNumbers.unzigzag(value / MONTHS) + USUAL_YEAR;
    return block.putInt((int) year).put((byte) (value % MONTHS + 1));
  }

  private static ByteBuffer putDate(ByteBuffer block, long value) {
    return putMonth(block, value / DAYS).put((byte) (value % DAYS + 1));
  }

  private static void putTime(ByteBuffer block, long seconds, int nanos) {
    int hour = (int) (seconds / HOUR_SECONDS);
    int minute = (int) (seconds / MINUTE_SECONDS % MINUTE_SECONDS);
    int second = (int) (seconds % MINUTE_SECONDS);
    block.put((byte) hour).put((byte) minute);
    if (nanos == 0) {
      block.put((byte) ~second);
    } else {
      block.put((byte) second).putInt(nanos);
    }
  }

  /**
   * @param in has a length and the last bytes of the block; null if there are none
   */
  private static void putDateTime(ByteBuffer block, long value, int nanos, @Nullable InputBuffer in)
      throws IOException {
    putDate(block, value / DAY_SECONDS);
    putTime(block, value % DAY_SECONDS, nanos);
    if (in != null) {
      int length = in.readByte() & 0xFF;
      in.require(length);
      block.put(in.bytes, in.position, length);
      in.position += length;
    }
  }
}
