package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import java.io.File;
import java.io.IOException;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.SimpleDateFormat;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.chrono.JapaneseDate;
import java.util.Calendar;
import java.util.Currency;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.SimpleTimeZone;
import java.util.StringJoiner;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Values of the JDK's classes; what they write again shows the state that their methods hide. */
@RunWith(SameProgram.class)
public class JdkClassesTest {

  /** Notes the copy, and that it serializes to what the original serializes to. */
  private static void copy(Object value) {
    attempt(
        value.getClass().getName(),
        () -> {
          Object copy = Wire.copy(new Object[] {value, value, "after"});
          see("equal", value.equals(((Object[]) copy)[0]));
          see("state", Wire.jdkBytes(((Object[]) copy)[0]));
          return copy;
        });
  }

  @Test
  public void boxes() {
    for (Object box :
        new Object[] {
          true,
          (byte) 1,
          'c',
          (short) 2,
          3,
          4L,
          5f,
          6d,
          Integer.MAX_VALUE,
          Double.NaN,
          Long.MIN_VALUE
        }) {
      copy(box);
    }
  }

  @Test
  public void numbers() {
    copy(BigInteger.ZERO);
    copy(new BigInteger("-123456789012345678901234567890"));
    copy(BigInteger.ONE.shiftLeft(5000));
    copy(new BigDecimal("1.50"));
    copy(new BigDecimal("-123456789012345678901234567890.123456789"));
    copy(BigDecimal.TEN.setScale(40));
    copy(new MathContext(7, RoundingMode.HALF_EVEN));
  }

  @Test
  public void identifiersAndPlaces() throws Exception {
    copy(new UUID(1, 2));
    copy(URI.create("http://example.org/a?b=c#d"));
    copy(new URL("http://127.0.0.1/x"));
    copy(new File("some/relative/../path"));
    copy(InetAddress.getByAddress("name", new byte[] {127, 0, 0, 1}));
    copy(InetAddress.getByAddress(new byte[16]));
    copy(InetSocketAddress.createUnresolved("host", 80));
    copy(Locale.GERMANY);
    copy(Locale.forLanguageTag("zh-Hant-TW-x-private"));
    copy(Locale.ROOT);
    copy(Currency.getInstance("EUR"));
  }

  @Test
  public void constantsOfTheJdkAreTheSame() throws Exception {
    see("currency", Wire.copy(Currency.getInstance("EUR")) == Currency.getInstance("EUR"));
    see("unit", Wire.copy(TimeUnit.DAYS) == TimeUnit.DAYS);
    see("offset", Wire.copy(ZoneOffset.UTC) == ZoneOffset.UTC);
    see("day", Wire.copy(DayOfWeek.MONDAY) == DayOfWeek.MONDAY);
    see("order", Wire.copy(String.CASE_INSENSITIVE_ORDER) == String.CASE_INSENSITIVE_ORDER);
    see(
        "empty list",
        Wire.copy(java.util.Collections.emptyList()) == java.util.Collections.emptyList());
  }

  @Test
  public void timeOfJavaTime() {
    copy(Instant.ofEpochSecond(1_700_000_000, 123_456_789));
    copy(Duration.ofSeconds(-5, 7));
    copy(Period.of(1, -2, 3));
    copy(LocalDate.of(2026, 2, 28));
    copy(LocalTime.of(12, 0));
    copy(LocalTime.of(12, 1, 2, 3));
    copy(LocalDateTime.of(1999, 12, 31, 23, 59, 59, 999_999_999));
    copy(OffsetDateTime.of(2000, 1, 1, 0, 0, 0, 0, ZoneOffset.ofHoursMinutes(5, 30)));
    copy(OffsetTime.of(1, 2, 3, 4, ZoneOffset.MIN));
    copy(ZonedDateTime.of(2024, 7, 1, 12, 0, 0, 0, ZoneId.of("Europe/Berlin")));
    copy(ZoneId.of("America/New_York"));
    copy(Year.of(2024));
    copy(YearMonth.of(2024, 2));
    copy(MonthDay.of(Month.FEBRUARY, 29));
    copy(JapaneseDate.of(2020, 5, 5));
  }

  @Test
  public void timeOfJavaUtil() {
    copy(new Date(123_456_789_012L));
    Calendar calendar = new GregorianCalendar(TimeZone.getTimeZone("GMT"), Locale.US);
    calendar.setTimeInMillis(1_000_000_000_000L);
    copy(calendar);
    copy(new SimpleTimeZone(3_600_000, "own"));
    copy(TimeZone.getTimeZone("Europe/Paris"));
  }

  @Test
  public void formats() {
    DecimalFormatSymbols symbols = DecimalFormatSymbols.getInstance(Locale.US);
    symbols.setCurrency(Currency.getInstance("EUR"));
    copy(new DecimalFormat("#,##0.00", symbols));
    SimpleDateFormat format = new SimpleDateFormat("yyyy-MM-dd", Locale.US);
    format.set2DigitYearStart(new Date(0));
    format.setTimeZone(TimeZone.getTimeZone("GMT"));
    attempt("format", () -> Wire.copy(format).format(new Date(0)));
  }

  @Test
  public void textAndRandomness() throws Exception {
    see("builder", Wire.copy(new StringBuilder("built").append('!')).toString());
    see("buffer", Wire.copy(new StringBuffer("buffered")).toString());
    see("random", Wire.copy(new Random(42)).nextInt());
    see(
        "pattern",
        Wire.copy(Pattern.compile("(a+)b", Pattern.CASE_INSENSITIVE)).matcher("xAAB").find());
  }

  @Test
  public void atomics() throws Exception {
    see("integer", Wire.copy(new AtomicInteger(7)));
    see("long", Wire.copy(new AtomicLong(8)));
    see("boolean", Wire.copy(new AtomicBoolean(true)));
    see("reference", Wire.copy(new AtomicReference<>(List.of("x"))));
    see("ints", Wire.copy(new AtomicIntegerArray(new int[] {1, 2})));
    see("longs", Wire.copy(new AtomicLongArray(new long[] {1, 2})));
    see("references", Wire.copy(new AtomicReferenceArray<>(new Object[] {"a", null})));
    LongAdder adder = new LongAdder();
    adder.add(9);
    see("adder", Wire.copy(adder));
    DoubleAdder doubles = new DoubleAdder();
    doubles.add(1.5);
    see("double adder", Wire.copy(doubles));
    ReentrantLock lock = new ReentrantLock(true);
    lock.lock();
    see("lock", Wire.copy(lock).isLocked() + " " + Wire.copy(lock).isFair());
  }

  static class OwnException extends IOException {
    final int code;
    transient Object lost = 1;

    OwnException(String message, int code, Throwable cause) {
      super(message, cause);
      this.code = code;
    }
  }

  @Test
  public void throwables() throws Exception {
    OwnException thrown = new OwnException("outer", 5, new IllegalStateException("inner"));
    StackTraceElement frame = new StackTraceElement("a.B", "method", "B.java", 12);
    thrown.setStackTrace(new StackTraceElement[] {frame, frame});
    thrown.getCause().setStackTrace(new StackTraceElement[0]);
    IOException suppressed = new IOException("suppressed");
    suppressed.setStackTrace(new StackTraceElement[] {frame});
    thrown.addSuppressed(suppressed);
    OwnException copy = see("thrown", Wire.copy(thrown));
    copy.addSuppressed(new Error("more"));
    see("suppressed", copy.getSuppressed().length);
    Throwable open = new Exception("cause not yet known");
    see("cause may be set", Wire.copy(open).initCause(thrown).getCause() == thrown);
    Throwable own = new Exception("real frames");
    see("frames", List.of(Wire.copy(own).getStackTrace()).equals(List.of(own.getStackTrace())));
    Error silent = new SilentError();
    see("no trace", Wire.copy(silent).getStackTrace().length);
  }

  static class SilentError extends Error {
    SilentError() {
      super("silent", null, false, false);
    }
  }

  @Test
  public void exceptionsOfSerializationItself() throws Exception {
    see(
        "optional data",
        Wire.tryToWrite("write", new java.io.NotSerializableException("x")) != null);
    see("invalid class", Wire.copy(new java.io.InvalidClassException("name", "reason")).classname);
    see(
        "not found",
        Wire.copy(new ClassNotFoundException("m", new Error("e"))).getException().getMessage());
  }

  @Test
  public void someClassesRefuse() {
    Wire.tryToWrite("optional", Optional.of(1));
    Wire.tryToWrite("thread", Thread.currentThread());
    Wire.tryToWrite("object", new Object());
    Wire.tryToWrite("joiner", new StringJoiner(","));
    Wire.tryToWrite("charset", StandardCharsets.UTF_8);
    Wire.tryToWrite("iterator", List.of(1).iterator());
    Wire.tryToWrite("stream", List.of(1).stream());
    Wire.tryToWrite("in a list", List.of(1, Optional.empty()));
  }

  static class Money extends BigDecimal {
    final String currency;

    Money(String amount, String currency) {
      super(amount);
      this.currency = currency;
    }
  }

  static class Stamp extends Date {
    int nanos = 5;
    Serializable note = "note";

    Stamp(long millis) {
      super(millis);
    }
  }

  @Test
  public void subclassesWithFieldsOfTheirOwn() throws Exception {
    Money money = Wire.copy(new Money("12.50", "EUR"));
    see("currency", money.currency);
    see("amount", money.toPlainString());
    Stamp stamp = Wire.copy(new Stamp(77));
    see("time", stamp.getTime());
    see("stamp", stamp);
  }
}
