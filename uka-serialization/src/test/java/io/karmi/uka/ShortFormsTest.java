package io.karmi.uka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.differential.JdkStreams;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.StreamCorruptedException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.Test;

/** Short forms and runs of values, by each way of reading. */
public class ShortFormsTest {
  /** Sees each object, so that none is read by a short cut. */
  private static final class Resolving extends UkaObjectInputStream {
    Resolving(InputStream in) throws IOException {
      super(in);
      enableResolveObject(true);
    }

    @Override
    protected Object resolveObject(Object object) {
      return object;
    }
  }

  /** Sees what the methods of classes read. */
  private static final class Calls extends UkaObjectInputStream {
    Calls(InputStream in) throws IOException {
      super(in);
    }

    @Override
    public int readInt() throws IOException {
      return super.readInt();
    }
  }

  /** Two objects on one stream, so that the second is as short as can be. */
  private static byte[] writeTwice(Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (UkaObjectOutputStream out = uka(bytes)) {
      out.writeObject(object);
      out.resetObjects();
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  private static UkaObjectOutputStream uka(ByteArrayOutputStream bytes) throws IOException {
    return new UkaObjectOutputStream(bytes, new UkaOptions(UkaOptions.Format.UKA));
  }

  private static List<UkaObjectInputStream> readers(byte[] bytes) throws IOException {
    UkaObjectInputStream filtered = new UkaObjectInputStream(new ByteArrayInputStream(bytes));
    filtered.setObjectInputFilter(info -> ObjectInputFilter.Status.ALLOWED);
    return List.of(
        new UkaObjectInputStream(new ByteArrayInputStream(bytes)),
        filtered,
        new Resolving(new ByteArrayInputStream(bytes)),
        new Calls(new ByteArrayInputStream(bytes)));
  }

  private static List<Object> objects() {
    List<Object> objects = new ArrayList<>(times());
    objects.addAll(numbers());
    objects.addAll(collections());
    return objects;
  }

  private static List<Object> times() {
    LocalDateTime time = LocalDateTime.of(2026, 12, 31, 23, 59, 58, 123_456_789);
    return List.of(
        LocalDate.MIN,
        LocalDate.MAX,
        LocalDate.of(1950, 2, 28),
        LocalDate.of(2026, 12, 31),
        LocalTime.MIDNIGHT,
        LocalTime.MAX,
        LocalTime.of(12, 0),
        LocalTime.of(12, 30),
        LocalTime.of(12, 30, 59),
        LocalTime.of(0, 0, 0, 5_000_000),
        time,
        time.withNano(0),
        LocalDateTime.MIN,
        LocalDateTime.MAX,
        Instant.MIN,
        Instant.MAX,
        Instant.EPOCH,
        Instant.ofEpochSecond(-1, 999_000_000),
        Duration.ZERO,
        Duration.ofSeconds(Long.MIN_VALUE),
        Duration.ofSeconds(Long.MAX_VALUE, 999_999_999),
        Duration.ofMillis(-1),
        OffsetDateTime.of(time, ZoneOffset.ofHoursMinutesSeconds(-1, -2, -3)),
        OffsetDateTime.of(time.withNano(0), ZoneOffset.UTC),
        ZonedDateTime.of(time, ZoneId.of("Europe/Berlin")),
        ZonedDateTime.of(time.withNano(0), ZoneOffset.MAX),
        ZoneId.of("America/Argentina/ComodRivadavia"),
        ZoneOffset.MIN,
        Year.of(-5),
        YearMonth.of(1999, 1),
        YearMonth.of(Year.MIN_VALUE, 12),
        MonthDay.of(2, 29),
        Period.of(-1, 2, 3));
  }

  private static List<Object> numbers() {
    BigInteger shared = BigInteger.ONE.shiftLeft(200).negate();
    return List.of(
        new Date(Long.MIN_VALUE),
        new Date(Long.MAX_VALUE),
        new Date(-1),
        BigInteger.ZERO,
        BigInteger.ONE,
        BigInteger.ONE.shiftLeft(5000).negate(),
        new BigDecimal(shared, Integer.MIN_VALUE),
        new BigDecimal(BigInteger.TEN, Integer.MAX_VALUE),
        BigDecimal.valueOf(Long.MIN_VALUE, 2),
        BigDecimal.ZERO,
        new ArrayList<>(
            List.of(shared, new BigDecimal(shared, 1), new BigDecimal(shared, 2), shared)));
  }

  private static List<Object> collections() {
    Map<Integer, Double> prices = new HashMap<>();
    IntStream.range(1000, 1900).forEach(i -> prices.put(i, i / 8.0));
    List<Integer> boxes = IntStream.range(500, 1800).boxed().collect(Collectors.toList());
    List<Integer> mixed = new ArrayList<>(boxes);
    IntStream.range(0, 200).forEach(i -> mixed.set(6 * i, i % 3 == 0 ? null : mixed.get(0)));
    List<Object> changing = new ArrayList<>(boxes.subList(0, 20));
    changing.add("text");
    changing.addAll(LongStream.range(-900, -800).boxed().collect(Collectors.toList()));
    changing.add(new ArrayList<>(boxes.subList(30, 60)));
    changing.addAll(boxes.subList(10, 50));
    return List.of(
        new ArrayList<>(),
        boxes,
        mixed,
        changing,
        new LinkedList<>(changing),
        new ArrayDeque<>(boxes).toArray(),
        new ArrayList<>(new ArrayDeque<>(boxes)),
        List.of(),
        List.copyOf(boxes),
        Set.of(1),
        Map.copyOf(prices),
        new HashSet<>(boxes),
        new HashSet<>(4, 0.5f),
        new LinkedHashSet<>(mixed),
        new TreeSet<>(boxes),
        new TreeSet<>(Collections.reverseOrder()),
        prices,
        new HashMap<>(64, 3f),
        new LinkedHashMap<>(16, 0.75f, true),
        new LinkedHashMap<>(prices),
        new TreeMap<>(prices),
        new ConcurrentHashMap<>(prices),
        new ConcurrentHashMap<>(Map.of("one", List.of(prices))),
        new TreeMap<>(Map.of("one", 1L, "two", 2L)),
        all(i -> (short) i, 'a'),
        all(i -> (byte) i, 1.5f),
        all(i -> new UUID(i, -i), new UUID(1, 2)),
        all(i -> (char) (i + 300), true));
  }

  private static List<Object> all(IntFunction<Object> made, Object other) {
    List<Object> all = IntStream.range(0, 50).mapToObj(made).collect(Collectors.toList());
    all.add(other);
    all.addAll(all);
    return all;
  }

  @Test
  public void whoeverReadsGetsWhatTheJdkReads() throws Exception {
    for (Object object : objects()) {
      byte[] jdkBytes = JdkStreams.write(object);
      Object copy = new ObjectInputStream(new ByteArrayInputStream(jdkBytes)).readObject();
      byte[] expected = JdkStreams.write(copy);
      for (UkaObjectInputStream in : readers(writeTwice(object))) {
        String who = in.getClass().getSimpleName() + " of " + object.getClass() + " " + object;
        assertThat(JdkStreams.write(in.readObject())).as(who).isEqualTo(expected);
        assertThat(JdkStreams.write(in.readObject())).as("again " + who).isEqualTo(expected);
        assertThat(in.read()).as("nothing is left of " + who).isEqualTo(-1);
      }
    }
  }

  @Test
  public void anArrayThatAProgramHasHandedOverStaysAsItIs() throws Exception {
    for (Object object : objects()) {
      byte[] framed = write(object);
      int start = framed.length < 4 + 1 + 128 ? 5 : framed.length < 5 + (1 << 14) ? 6 : 7;
      byte[] message = Arrays.copyOfRange(framed, start, framed.length);
      byte[] before = message.clone();
      InputBuffer buffer = new InputBuffer(message, 0, message.length);
      UkaObjectInputStream in = new UkaObjectInputStream(buffer);
      in.setObjectInputFilter(info -> ObjectInputFilter.Status.ALLOWED);
      Object read = in.readObject();
      assertThat(buffer.remaining()).isZero();
      assertThat(message).isEqualTo(before);
      assertThat(JdkStreams.write(read).length).isEqualTo(JdkStreams.write(object).length);
    }
  }

  private static byte[] write(Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (UkaObjectOutputStream out = uka(bytes)) {
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  @Test
  public void shortFormsOfTheDocument() throws Exception {
    assertThat(second(new ArrayList<>(List.of("a")))).isEqualTo("80" + "02" + "1161" + "0b");
    assertThat(second(new HashMap<>(Map.of("a", "b")))).isEqualTo("80" + "02" + "11611162" + "0b");
    assertThat(second(new TreeSet<>(List.of("a")))).isEqualTo("80" + "02" + "1161" + "0b");
    assertThat(second(List.of("a"))).isEqualTo("80" + "12" + "1161" + "0b");
    assertThat(second(new ConcurrentHashMap<>(Map.of("a", "b"))))
        .isEqualTo("80" + "00" + "11611162" + "0000" + "0b");
    assertThat(second(new Date(3))).isEqualTo("80" + "07");
    assertThat(second(new Date(Long.MIN_VALUE)))
        .isEqualTo("80" + "00" + "0908" + "8000000000000000" + "0b");
    assertThat(second(BigInteger.valueOf(-258))).isEqualTo("80" + "0a" + "0102");
    assertThat(second(new BigDecimal("-2.58"))).isEqualTo("80" + "08" + "0a" + "0102");
    assertThat(second(LocalDate.of(2000, 1, 2))).isEqualTo("80" + "13");
    assertThat(second(LocalTime.of(0, 1))).isEqualTo("80" + "c407");
    assertThat(second(Duration.ofMillis(1))).isEqualTo("80" + "01" + "06");
    assertThat(second(LocalDateTime.of(2000, 1, 1, 0, 0, 1, 1))).isEqualTo("80" + "18" + "04");
  }

  @Test
  public void runsOfTheDocument() throws Exception {
    Integer shared = 1000;
    List<Integer> numbers =
        Arrays.asList(1, 2, 3, 4, 5, 6, null, 7, 8, shared, shared, 9, 10, 11, 12, 13);
    assertThat(second(new ArrayList<>(numbers)))
        .isEqualTo(
            "8020"
                + "8102"
                + ("08" + "3e" + "8100" + "2002")
                + "0406080a0c00"
                + "0e10d00f"
                + "49"
                + "121416181a"
                + "0b");
  }

  /** The second message, without the length of its frame. */
  private static String second(Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    UkaObjectOutputStream out = uka(bytes);
    out.writeObject(object);
    out.resetObjects();
    out.flush();
    bytes.reset();
    out.writeObject(object);
    return HexFormat.of().formatHex(bytes.toByteArray()).substring(2);
  }

  @Test
  public void identityIsKeptInRuns() throws Exception {
    Integer shared = 4711;
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      list.add(1000 + i);
      list.add(i % 10 == 0 ? shared : Integer.valueOf(5000 + i));
    }
    for (UkaObjectInputStream in : readers(write(new Object[] {shared, list}))) {
      Object[] read = (Object[]) in.readObject();
      List<?> copy = (List<?>) read[1];
      assertThat(copy).isEqualTo(list);
      assertThat(copy.get(1)).isSameAs(read[0]).isSameAs(copy.get(181));
    }
  }

  @Test
  public void aRunThatIsNoneIsRefused() {
    String list = "554b4101" + "16" + "0201940b00" + "28" + "0201810b01800b00" + "02";
    for (String run :
        List.of(
            "0800" + "8100", /* of no values */
            "08a410" + "8100", /* of too many */
            "0804" + "0200", /* of a token that says no type */
            "0804" + "8111", /* of values that are too wide */
            "0804" + "8104" + "00000001", /* of values that are wider than their type's */
            "0806" + "8100" + "01" + "1161" /* of a text */)) {
      String bytes = list.replace("16", HexFormat.of().toHexDigits((byte) (15 + run.length() / 2)));
      for (boolean watched : new boolean[] {false, true}) {
        InputStream source = new ByteArrayInputStream(HexFormat.of().parseHex(bytes + run));
        assertThatThrownBy(
                () -> {
                  UkaObjectInputStream in =
                      watched ? new Resolving(source) : new UkaObjectInputStream(source);
                  in.readObject();
                })
            .as(run)
            .isInstanceOf(StreamCorruptedException.class);
      }
    }
  }

  @Test
  public void aShortFormNeedsTheTypesOfTheGeneralOne() {
    byte[] decimal = HexFormat.of().parseHex("554b4101" + "09" + "0201a20b01800b00" + "02");
    byte[] bytes = Arrays.copyOf(decimal, decimal.length + 3);
    bytes[4] += 2;
    bytes[decimal.length] = 4;
    bytes[decimal.length + 1] = 1;
    assertThatThrownBy(() -> new Resolving(new ByteArrayInputStream(bytes)).readObject())
        .isInstanceOf(StreamCorruptedException.class)
        .hasMessageContaining("java.math.BigInteger");
  }
}
