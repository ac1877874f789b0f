package io.karmi.uka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** A writer that looks for objects by their content finds the same ones as by their identity. */
@RunWith(Parameterized.class)
public class ContentHashesTest {
  /** Objects before those of a test, so that these are found by hashes. */
  private static final int BEFORE = 100;

  private static final int USES_BEFORE_CODE_IS_GENERATED = 500;

  private final UkaOptions options;

  public ContentHashesTest(UkaOptions.Format format) {
    options = new UkaOptions(format);
  }

  @Parameters(name = "{0}")
  public static UkaOptions.Format[] formats() {
    return UkaOptions.Format.values();
  }

  private static final class Point implements Serializable {
    private static final long serialVersionUID = 1;

    private double x;
    private final int y;

    Point(double x, int y) {
      this.x = x;
      this.y = y;
    }
  }

  private static final class Node implements Serializable {
    private static final long serialVersionUID = 1;

    private volatile int value;
    private Node next;
    private Node other;
  }

  /** Changes a point while it is written. */
  private static final class Changing implements Serializable {
    private static final long serialVersionUID = 1;

    private final transient Point point;

    Changing(Point point) {
      this.point = point;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      point.x++;
    }
  }

  /** Changes a point when it is replaced. */
  private static final class Replaced implements Serializable {
    private static final long serialVersionUID = 1;

    private final transient Point point;

    Replaced(Point point) {
      this.point = point;
    }

    private Object writeReplace() {
      point.x++;
      return "replaced";
    }
  }

  /** Changes a point when it is written. */
  public static final class External implements Externalizable {
    private static final long serialVersionUID = 1;

    private final transient Point point;

    /** For reading. */
    public External() {
      this(null);
    }

    External(Point point) {
      this.point = point;
    }

    @Override
    public void writeExternal(ObjectOutput out) {
      point.x++;
    }

    @Override
    public void readExternal(ObjectInput in) {}
  }

  /** Changes a point when it meets a certain string, or describes a class. */
  private static final class Stream extends UkaObjectOutputStream {
    private final Point point;

    Stream(OutputStream out, UkaOptions options, Point point) throws IOException {
      super(out, options);
      this.point = point;
    }

    @Override
    protected void annotateClass(Class<?> type) {
      if (type == Thread.State.class) {
        point.x++;
      }
    }
  }

  @Test
  public void equalObjectsStayApart() throws Exception {
    generateCode();
    Point shared = new Point(1, 1);
    Object[] points = new Object[10_000];
    Arrays.setAll(points, i -> i % 100 == 50 ? shared : new Point(1, 1));

    Object[] read = (Object[]) roundTrip(points);

    IdentityHashMap<Object, Integer> distinct = new IdentityHashMap<>();
    for (int i = 0; i < read.length; i++) {
      distinct.put(read[i], i);
      assertThat(read[i] == read[50]).isEqualTo(i % 100 == 50);
    }
    assertThat(distinct).hasSize(9_901);
  }

  @Test
  public void anObjectThatMethodsOfTheProgramChangeStaysOne() throws Exception {
    generateCode();
    staysOne(Changing::new);
    staysOne(Replaced::new);
    staysOne(External::new);
    staysOne(point -> Thread.State.NEW);
  }

  private void staysOne(Function<Point, Object> changing) throws Exception {
    Point twice = new Point(-1, -1);
    Object[] all = new Object[BEFORE + 3];
    Arrays.setAll(all, i -> new Point(i, i));
    all[BEFORE] = twice;
    all[BEFORE + 1] = changing.apply(twice);
    all[BEFORE + 2] = twice;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new Stream(bytes, options, twice)) {
      out.writeObject(all);
    }

    Object[] read = (Object[]) read(bytes.toByteArray());

    assertThat(twice.x).as("the method has run").isZero();
    assertThat(read[BEFORE + 2]).isSameAs(read[BEFORE]).isNotNull();
  }

  /** As a class of a generic pair is compiled. */
  private static final class Box implements Serializable {
    private static final long serialVersionUID = 1;

    private Object content;

    Box(Object content) {
      this.content = content;
    }
  }

  /** Changes a box and a date while it is written. */
  private static final class ChangingOthers implements Serializable {
    private static final long serialVersionUID = 1;

    private final transient Box box;
    private final transient Date date;

    ChangingOthers(Box box, Date date) {
      this.box = box;
      this.date = date;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      box.content = "changed";
      date.setTime(1);
    }
  }

  @Test
  public void genericObjectsAndValuesOfThePlatformAreFoundAgain() throws Exception {
    Object[] objects = new Object[10 * USES_BEFORE_CODE_IS_GENERATED];
    Arrays.setAll(
        objects,
        i ->
            switch (i % 10) {
              case 0 -> new Box(i);
              case 1 -> new Box("box " + i);
              case 2 -> new Box(Thread.State.NEW);
              case 3 -> new Date(i / 100);
              case 4 -> new UUID(i, 1);
              case 5 -> LocalDate.ofEpochDay(i);
              case 6 -> BigDecimal.valueOf(i, 2);
              case 7 -> new BigInteger(Integer.toString(i / 1000));
              case 8 -> (short) (1_000 + i);
              default ->
                  new StringBuilder("a string that is longer than the others ").append(i % 7);
            });
    for (int i = 9; i < objects.length; i += 10) {
      objects[i] = objects[i].toString();
    }
    Object[] twice = {objects, objects.clone()};

    Object[] read = (Object[]) roundTrip(twice);

    Object[] first = (Object[]) read[0];
    IdentityHashMap<Object, Boolean> distinct = new IdentityHashMap<>();
    for (int i = 0; i < objects.length; i++) {
      distinct.put(first[i], true);
      assertThat(first[i]).isSameAs(((Object[]) read[1])[i]);
      if (i % 10 > 2) {
        assertThat(first[i]).isEqualTo(objects[i]);
      }
    }
    assertThat(distinct.size()).isEqualTo(objects.length);
  }

  @Test
  public void elementsOfListsAreFoundAgain() throws Exception {
    generateCode();
    List<IntFunction<Object>> kinds =
        List.of(
            i -> new UUID(i, i),
            i -> (short) (1_000 + i),
            i -> i * 0.5f,
            i -> new Date(i),
            i -> BigDecimal.valueOf(i, 2),
            LocalDate::ofEpochDay,
            i -> new Box(i));
    for (IntFunction<Object> kind : kinds) {
      List<Object> list = new ArrayList<>();
      for (int i = 0; i < BEFORE; i++) {
        list.add(kind.apply(1_000 + i));
      }
      Object[] read = (Object[]) roundTrip(new Object[] {points(), list, list.toArray()});
      Object[] again = (Object[]) read[2];
      for (int i = 0; i < BEFORE; i++) {
        assertThat(again[i]).isSameAs(((List<?>) read[1]).get(i)).isNotNull();
      }
    }
  }

  @Test
  public void theFirstObjectOfAStreamIsFoundAgainBehindManyOthers() throws Exception {
    for (int i = 0; i < USES_BEFORE_CODE_IS_GENERATED; i++) {
      roundTrip(new Box(i));
    }
    Box first = new Box(null);
    first.content = new Object[] {points(), first, new Box("another"), first};

    Box read = (Box) roundTrip(first);

    Object[] content = (Object[]) read.content;
    assertThat(content[1]).isSameAs(read);
    assertThat(content[2]).isNotSameAs(read);
    assertThat(content[3]).isSameAs(read);
  }

  private static Object[] points() {
    Object[] points = new Object[BEFORE];
    Arrays.setAll(points, i -> new Point(i, i));
    return points;
  }

  @Test
  public void aGenericObjectAndADateThatAMethodChangesStayOne() throws Exception {
    Object[] all = new Object[2 * USES_BEFORE_CODE_IS_GENERATED + 3];
    Arrays.setAll(all, i -> i % 2 == 0 ? new Box("box " + i) : new Date(i));
    all[all.length - 3] = new ChangingOthers((Box) all[100], (Date) all[101]);
    all[all.length - 2] = all[100];
    all[all.length - 1] = all[101];
    roundTrip(all.clone());
    ((Box) all[100]).content = "before";
    ((Date) all[101]).setTime(0);

    Object[] read = (Object[]) roundTrip(all);

    assertThat(((Date) all[101]).getTime()).as("the method has run").isEqualTo(1);
    assertThat(read[all.length - 2]).isSameAs(read[100]);
    assertThat(read[all.length - 1]).isSameAs(read[101]);
  }

  @Test
  public void arraysThatDifferInFewPlacesStayApart() throws Exception {
    Object[] arrays = new Object[2_000];
    for (int i = 0; i < arrays.length; i++) {
      long[] array = new long[40];
      array[12] = i;
      arrays[i] = array;
    }
    Object[] twice = {arrays, arrays.clone()};

    Object[] read = (Object[]) roundTrip(twice);

    for (int i = 0; i < arrays.length; i++) {
      long[] array = (long[]) ((Object[]) read[0])[i];
      assertThat(array).isEqualTo(arrays[i]).isSameAs(((Object[]) read[1])[i]);
    }
  }

  @Test
  public void graphsThatAnotherThreadChangesEnd() throws Exception {
    Node[] nodes = new Node[200];
    Arrays.setAll(nodes, i -> new Node());
    for (int i = 0; i < nodes.length; i++) {
      nodes[i].next = nodes[(i + 1) % nodes.length];
      nodes[i].other = nodes[i * 7 % nodes.length];
    }
    Thread changer =
        new Thread(
            () -> {
              while (!Thread.currentThread().isInterrupted()) {
                for (Node node : nodes) {
                  node.value++;
                }
              }
            });
    changer.setDaemon(true);
    changer.start();
    try {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
      do {
        byte[] bytes = write(nodes);
        assertThat(bytes.length).isLessThan(1 << 20);
        assertThat((Node[]) read(bytes)).hasSize(nodes.length).doesNotContainNull();
      } while (System.nanoTime() < end);
    } finally {
      changer.interrupt();
      changer.join();
    }
  }

  @Test
  public void aStreamThatHasMetEqualObjectsGoesOn() throws Exception {
    generateCode();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Object[] equal = new Object[200];
    Arrays.setAll(equal, i -> new Point(0, 0));
    Object[] different = new Object[200];
    Arrays.setAll(different, i -> new Point(i / 2, i / 2));
    different[199] = different[0];
    int messages = 150;
    try (UkaObjectOutputStream out = new UkaObjectOutputStream(bytes, options)) {
      for (int i = 0; i < messages; i++) {
        out.writeObject(i % 70 == 0 ? equal : different);
        out.resetObjects();
      }
    }
    try (ObjectInputStream in =
        new UkaObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      for (int i = 0; i < messages; i++) {
        Object[] read = (Object[]) in.readObject();
        IdentityHashMap<Object, Boolean> distinct = new IdentityHashMap<>();
        Arrays.stream(read).forEach(each -> distinct.put(each, true));
        assertThat(distinct).hasSize(i % 70 == 0 ? 200 : 199);
        assertThat(read[199] == read[0]).isEqualTo(i % 70 != 0);
      }
    }
  }

  private void generateCode() throws Exception {
    Object[] points = new Object[USES_BEFORE_CODE_IS_GENERATED];
    Arrays.setAll(points, i -> new Point(i, i));
    roundTrip(points);
  }

  private Object roundTrip(Object object) throws Exception {
    return read(write(object));
  }

  private byte[] write(Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new UkaObjectOutputStream(bytes, options)) {
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  private static Object read(byte[] bytes) throws Exception {
    try (ObjectInputStream in = new UkaObjectInputStream(new ByteArrayInputStream(bytes))) {
      return in.readObject();
    }
  }
}
