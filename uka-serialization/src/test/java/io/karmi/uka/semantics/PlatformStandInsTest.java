package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.event;

import io.karmi.uka.differential.SameProgram;
import io.karmi.uka.differential.Versions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Classes of a program in the place of the platform's, and the reverse: a stream that resolves
 * classes may answer any class of the same simple name.
 */
@RunWith(SameProgram.class)
public class PlatformStandInsTest {
  private static final ClassLoader OWN = PlatformStandInsTest.class.getClassLoader();
  private static final String NOTE = "io.karmi.uka.differential.Observed.event";

  /**
   * Notes the data up to its end, whatever the platform's class writes. How large a hash table was
   * is not noted: a reader makes its own.
   */
  private static final String READS_ALL =
      " private void readObject(java.io.ObjectInputStream in)"
          + " throws java.io.IOException, ClassNotFoundException {"
          + " java.io.ObjectInputStream.GetField fields = in.readFields();"
          + " for (java.io.ObjectStreamField each : fields.getObjectStreamClass().getFields()) {"
          + NOTE
          + "(\"field \" + each.getName() + \" \" + each.getTypeString()); }"
          + " if (getClass().getName().contains(\"Hash\")) { in.skipBytes(4); }"
          + " while (in.available() > 0) { "
          + NOTE
          + "(\"byte \" + in.readByte()); }"
          + " try { while (true) { "
          + NOTE
          + "(\"object \" + in.readObject()); "
          + " while (in.available() > 0) { "
          + NOTE
          + "(\"byte \" + in.readByte()); } } }"
          + " catch (java.io.OptionalDataException e) { "
          + NOTE
          + "(\"end \" + e.eof + e.length); } } }";

  private static String source(Class<?> platform, String members) {
    long uid = ObjectStreamClass.lookup(platform).getSerialVersionUID();
    return "public class "
        + platform.getSimpleName()
        + " implements java.io.Serializable { private static final long serialVersionUID = "
        + uid
        + "L; "
        + members;
  }

  private static Object read(byte[] bytes, Map<String, Class<?>> standIns) throws Exception {
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes)) {
          @Override
          protected Class<?> resolveClass(ObjectStreamClass description)
              throws IOException, ClassNotFoundException {
            Class<?> standIn = standIns.get(description.getName());
            return standIn == null ? super.resolveClass(description) : standIn;
          }
        }) {
      return new Object[] {in.readObject(), in.readObject()};
    }
  }

  private static List<Serializable> platformValues() {
    List<Serializable> values = new ArrayList<>();
    values.add(new ArrayList<>(List.of("a", 1, List.of(2))));
    values.add(new LinkedList<>(List.of("a", 1)));
    values.add(new ArrayDeque<>(List.of("a", 1)));
    values.add(new HashMap<>(Map.of("k", 1)));
    values.add(new LinkedHashMap<>(Map.of("k", 1)));
    values.add(new HashSet<>(List.of("k")));
    values.add(new LinkedHashSet<>(List.of("k", "l")));
    values.add(new TreeMap<>(Map.of("k", 1, "l", 2)));
    values.add(new TreeMap<>(Collections.reverseOrder()));
    values.add(new TreeSet<>(List.of(1, 2, 3)));
    values.add(new Date(7));
    values.add(new UUID(8, 9));
    values.add(new BigInteger("-12345678901234567890"));
    values.add(BigInteger.TWO);
    values.add(new BigDecimal("1.25"));
    values.add(new ConcurrentHashMap<>(Map.of("k", "v")));
    values.add(5);
    values.add(6L);
    values.add(7.5);
    values.add('x');
    values.add(true);
    return values;
  }

  /** A class of the program's for each of the platform's, compiled together. */
  private static ClassLoader programs(List<Serializable> values, String members) {
    return Versions.loader(
        OWN,
        values.stream()
            .map(each -> source(each.getClass(), members))
            .distinct()
            .toArray(String[]::new));
  }

  private static void readAsClassesOfTheProgram(String members) throws Exception {
    List<Serializable> values = platformValues();
    ClassLoader loader = programs(values, members);
    for (Serializable value : values) {
      Class<?> platform = value.getClass();
      Class<?> standIn = loader.loadClass(platform.getSimpleName());
      byte[] bytes = Wire.write(new Object[] {value, value, "next"}, value);
      event(platform.getName());
      attempt("read", () -> read(bytes, Map.of(platform.getName(), standIn)));
    }
  }

  @Test
  public void classesOfTheProgramReadDataOfThePlatforms() throws Exception {
    readAsClassesOfTheProgram(READS_ALL);
  }

  @Test
  public void classesOfTheProgramHaveFieldsOfThePlatforms() throws Exception {
    readAsClassesOfTheProgram(
        "int size = -1; int value = -2; float loadFactor = -3; java.util.Comparator<?> comparator;"
            + " long leastSigBits; boolean accessOrder; int scale; byte[] magnitude; }");
  }

  @Test
  public void runsOfBoxesAreReadAsClassesOfTheProgram() throws Exception {
    List<Serializable> boxes = List.of(1, 2L);
    ClassLoader loader = programs(boxes, "Object value; int other = 5; }");
    ClassLoader fitting = programs(boxes, "long value; }");
    List<Object> many = new ArrayList<>();
    Map<Object, Object> map = new LinkedHashMap<>();
    for (int i = -100; i < 100; i++) {
      many.add(i % 3 == 0 ? (Object) (i * 1_000_000_007L) : i * 77);
      map.put(i, (long) i);
    }
    byte[] bytes = Wire.write(new Object[] {many, map, many.toArray(), -5, -6L}, many);
    for (ClassLoader each : List.of(loader, fitting)) {
      Class<?> ofInts = each.loadClass("Integer");
      Class<?> ofLongs = each.loadClass("Long");
      attempt("ints", () -> read(bytes, Map.of("java.lang.Integer", ofInts)));
      attempt("longs", () -> read(bytes, Map.of("java.lang.Long", ofLongs)));
    }
  }

  /** Whether a superclass has a {@code readObject}, which the stand-in's description leaves out. */
  private static boolean reliesOnALevelAbove(Class<?> type) {
    for (Class<?> each = type.getSuperclass(); each != null; each = each.getSuperclass()) {
      if (Serializable.class.isAssignableFrom(each)
          && Stream.of(each.getDeclaredMethods()).anyMatch(m -> m.getName().equals("readObject"))) {
        return true;
      }
    }
    return false;
  }

  private static void readAsClassesOfThePlatform(String members) throws Exception {
    List<Serializable> values = platformValues();
    ClassLoader loader = programs(values, members);
    for (Serializable value : values) {
      Class<?> platform = value.getClass();
      if (reliesOnALevelAbove(platform)) {
        continue; /* Refused, unlike by the JDK: decision 72. */
      }
      Class<?> own = loader.loadClass(platform.getSimpleName());
      Object written = own.getDeclaredConstructor().newInstance();
      byte[] bytes = Wire.write(new Object[] {written, written, "next"}, written);
      event(platform.getName());
      attempt("read", () -> read(bytes, Map.of(own.getName(), platform)));
    }
  }

  @Test
  public void classesOfThePlatformReadWhatHasNoData() throws Exception {
    readAsClassesOfThePlatform("}");
  }

  @Test
  public void classesOfThePlatformReadDataOfThePrograms() throws Exception {
    readAsClassesOfThePlatform(
        " private void writeObject(java.io.ObjectOutputStream out) throws java.io.IOException {"
            + " out.defaultWriteObject(); out.writeInt(1); out.writeInt(1);"
            + " out.writeObject(\"k\"); out.writeObject(\"v\"); out.writeObject(\"w\"); } }");
  }

  @Test
  public void classesOfThePlatformReadFieldsOfThePrograms() throws Exception {
    readAsClassesOfThePlatform(
        " int size = 2; float loadFactor = 0.5f; int threshold = 12;"
            + " private void writeObject(java.io.ObjectOutputStream out) throws java.io.IOException {"
            + " out.defaultWriteObject(); out.writeInt(2); out.writeInt(2);"
            + " for (int i = 0; i < 4; i++) { out.writeObject(\"k\" + i); } } }");
  }

  @Test
  public void replacementsOfTimesMayBeResolvedElsewhere() throws Exception {
    byte[] bytes = Wire.write(LocalDate.of(2000, 1, 2), List.of(1, 2));
    attempt("another class", () -> read(bytes, Map.of("java.time.Ser", String.class)));
    attempt("a list", () -> read(bytes, Map.of("java.util.CollSer", ArrayList.class)));
    attempt("nothing serializable", () -> read(bytes, Map.of("java.time.Ser", Object.class)));
  }
}
