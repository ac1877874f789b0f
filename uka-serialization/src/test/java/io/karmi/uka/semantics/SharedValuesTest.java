package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Values of which there may be one or many that are equal: constants, boxes, numbers and strings.
 */
@RunWith(SameProgram.class)
public class SharedValuesTest {
  enum Colour {
    RED,
    GREEN {
      @Override
      public String toString() {
        return "green";
      }
    },
    BLUE
  }

  @Test
  public void constantsAgainAndAgain() throws Exception {
    List<Object> colours = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      colours.addAll(Arrays.asList(Colour.values()));
      colours.add(Colour.RED.name());
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(Colour.BLUE);
      out.writeObject(colours);
      out.reset();
      out.writeObject(Colour.GREEN);
      out.writeUnshared(Colour.RED);
      out.writeObject(Colour.BLUE);
    }
    try (ObjectInputStream in = Wire.open(bytes.toByteArray())) {
      for (int i = 0; i < 5; i++) {
        see("read", in.readObject());
      }
    }
  }

  static final class Point implements Serializable {
    int x;
    double y;

    Point(int x) {
      this.x = x;
      y = x / 2d;
    }
  }

  /** Few are written one by one, many at once. */
  @Test
  public void listsAndArraysOfAnyLengthAndMixture() throws Exception {
    Random random = new Random(4);
    for (int length : new int[] {1, 3, 5, 8, 9, 31, 34, 100, 511, 513, 1300}) {
      for (int kinds = 1; kinds <= 6; kinds++) {
        List<Object> met = new ArrayList<>(List.of("first"));
        List<Object> values = values(random, length, kinds, met);
        Point[] points = new Point[length];
        Arrays.setAll(points, i -> new Point(i));
        for (int i = 0; kinds > 1 && i < length / 7; i++) {
          points[random.nextInt(length)] = points[random.nextInt(length)];
        }
        Object[] all = {met.get(0), values, values.toArray(), points, new LinkedList<>(values)};
        see(length + " of " + kinds + " kinds", Wire.copy(all));
      }
    }
  }

  private static List<Object> values(Random random, int length, int kinds, List<Object> met) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      int number = random.nextInt(3 * length);
      switch (random.nextInt(kinds)) {
        case 0 -> values.add(new StringBuilder("text ").append(number).toString());
        case 1 -> values.add(met.get(random.nextInt(met.size())));
        case 2 -> values.add(1000 + number);
        case 3 -> values.add((long) number << 30);
        case 4 -> values.add(new Point(number));
        default -> values.add(null);
      }
      if (values.get(i) != null) {
        met.add(values.get(i));
      }
    }
    return values;
  }

  private static Object[] times() {
    LocalDate date = LocalDate.of(1999, 12, 31);
    LocalTime time = LocalTime.of(23, 59, 58, 1_000);
    Object[] times = {
      date,
      time,
      date.atTime(time),
      date.atStartOfDay(),
      Instant.ofEpochSecond(-1, 999_999_999),
      Duration.ofNanos(Long.MIN_VALUE),
      Instant.MAX,
      LocalDate.MIN,
      LocalDateTime.MAX,
      LocalDate.of(1999, 12, 31),
      date
    };
    return times;
  }

  @Test
  public void timesAreAsSharedAsTheyWere() throws Exception {
    Object[] times = times();
    Object[] copy = Wire.copy(new Object[] {times, times[2], List.of(times), times[9]});
    see("times", copy);
    see("same", copy[1] == ((Object[]) copy[0])[2]);
    see("different", copy[3] == ((Object[]) copy[0])[0]);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeUnshared(times[0]);
      out.writeObject(times[0]);
      out.writeObject(times[0]);
    }
    try (ObjectInputStream in = Wire.open(bytes.toByteArray())) {
      Object[] all = {in.readObject(), in.readObject(), in.readObject()};
      see("unshared", all);
    }
  }

  /** Shows what it is asked about. */
  static final class Asked extends ObjectOutputStream {
    Asked(OutputStream sink) throws IOException {
      super(sink);
      enableReplaceObject(true);
    }

    @Override
    protected Object replaceObject(Object object) {
      see("asked", object.getClass().getName());
      return object;
    }
  }

  @Test
  public void streamsThatReplaceSeeWhatStandsForTimes() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Asked out = new Asked(bytes)) {
      out.writeObject(times());
    }
    try (ObjectInputStream in = Wire.open(bytes.toByteArray())) {
      see("read", in.readObject());
    }
  }

  /** A box that is itself, not the one that all share. */
  @SuppressWarnings({"removal", "BoxedPrimitiveConstructor"})
  private static Object[] distinctBoxes() {
    return new Object[] {
      new Integer(1),
      new Long(1),
      new Short((short) 1),
      new Byte((byte) 1),
      new Character('1'),
      new Double(1),
      new Float(1),
      new Boolean(true),
      new UUID(1, 1)
    };
  }

  @Test
  public void boxesAreAsSharedAsTheyWere() throws Exception {
    for (Object box : distinctBoxes()) {
      Object other = distinctBoxes()[Arrays.asList(distinctBoxes()).indexOf(box)];
      Object[] copy = Wire.copy(new Object[] {box, other, box});
      see(
          box.getClass().getName(),
          List.of(copy[0] == copy[2], copy[0] == copy[1], copy[0].equals(copy[1])));
      if (box instanceof Integer) {
        see("the shared one", copy[0] == Integer.valueOf(1));
      }
    }
  }

  @Test
  public void boxesKeepTheirValues() throws Exception {
    for (long value :
        new long[] {0, 1, -1, 63, 64, -64, -65, 8191, -8193, Integer.MAX_VALUE, Long.MAX_VALUE}) {
      see("long", Wire.copy(new Object[] {value, ~value, (int) value, (int) ~value}));
      see("short", Wire.copy(new Object[] {(short) value, (byte) value, (char) value}));
    }
    see("edges", Wire.copy(new Object[] {Integer.MIN_VALUE, Long.MIN_VALUE, -0.0, -0.0f}));
    see("floats", Wire.copy(new Object[] {1.5, 1.5f, Double.MIN_VALUE, Float.POSITIVE_INFINITY}));
    see("booleans", Wire.copy(new Object[] {true, false}));
  }

  @Test
  public void namesOfConstantsAreStringsLikeOthers() throws Exception {
    Object[] copy =
        Wire.copy(
            new Object[] {
              Colour.RED.name(), Colour.RED, Colour.RED.name(), Colour.GREEN, Colour.GREEN.name()
            });
    for (Object name : copy) {
      see("copy", name);
    }
  }

  @Test
  public void bigNumbersOfEveryLength() throws Exception {
    List<Object> numbers = new ArrayList<>();
    for (int bit = 0; bit < 130; bit++) {
      for (int more = -1; more <= 1; more++) {
        BigInteger number = BigInteger.ONE.shiftLeft(bit).add(BigInteger.valueOf(more));
        numbers.add(number);
        numbers.add(number.negate());
        numbers.add(new BigDecimal(number, bit - 65));
        numbers.add(new BigDecimal(number.negate().toString()));
      }
    }
    List<Object> copy = Wire.copy(numbers);
    see("numbers", copy);
    for (Object number : copy) {
      see(
          "a shared constant",
          number instanceof BigInteger big && big == BigInteger.valueOf(big.longValue()));
    }
  }

  @Test
  public void bigNumbers() throws Exception {
    BigInteger big = BigInteger.ONE.shiftLeft(100).negate();
    for (Object number :
        new Object[] {
          BigInteger.ZERO,
          BigInteger.valueOf(-1),
          BigInteger.valueOf(255),
          BigInteger.valueOf(128),
          big,
          new BigDecimal("0.00"),
          new BigDecimal("-12345.678"),
          new BigDecimal(big, 7)
        }) {
      Object copy = Wire.copy(number);
      see("copy", copy);
      see("state", Wire.jdkBytes(copy));
    }
    Object[] shared = Wire.copy(new Object[] {new BigDecimal(big, 2), big, new BigDecimal(big, 3)});
    see(
        "shared",
        List.of(
            ((BigDecimal) shared[0]).unscaledValue() == shared[1],
            ((BigDecimal) shared[2]).unscaledValue() == shared[1]));
  }

  @Test
  public void mixturesOfEveryNumberKeepTheirIdentity() throws Exception {
    for (int size = 0; size < 80; size++) {
      List<Object> list = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        list.add(
            switch (i % 5) {
              case 0 -> new StringBuilder("text ").append(i / 10).toString();
              case 1 -> i * 1000;
              case 2 -> i * 1000L;
              case 3 -> new Date(i);
              default -> list.get(i / 2);
            });
      }
      list.addAll(new ArrayList<>(list));
      List<Object> copy = Wire.copy(list);
      StringBuilder shared = new StringBuilder();
      for (int i = 0; i < list.size(); i++) {
        int first = i;
        while (first > 0 && copy.get(i) != copy.get(first - 1)) {
          first--;
        }
        shared.append(first == 0 && copy.get(0) != copy.get(i) ? -1 : first - 1).append(' ');
      }
      see("copy of " + size, copy);
      see("shared", shared);
    }
  }

  @Test
  public void stringsOfEveryKindAndLength() throws Exception {
    for (int length = 0; length < 1600; length += length < 70 ? 1 : 61) {
      String latin1 = "\u00e4\u00ff\u0000".repeat(length).substring(0, length);
      see("latin1", Wire.copy(latin1));
      see("late", Wire.copy(latin1 + "\u0100"));
      see("early", Wire.copy("\ud800" + latin1));
      see("ascii", Wire.copy("text of any length ".repeat(length).substring(0, length)));
    }
  }
}
