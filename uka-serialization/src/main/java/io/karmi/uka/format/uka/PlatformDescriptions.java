package io.karmi.uka.format.uka;

import io.karmi.uka.type.ArrayVersions;
import io.karmi.uka.type.ClassDescription;
import io.karmi.uka.type.FieldDescription;
import io.karmi.uka.type.LocalClass;
import java.io.InvalidClassException;
import java.io.ObjectStreamConstants;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Descriptions of the platform's classes that nearly every stream holds, and that therefore take a
 * byte in the UKA format.
 *
 * <p>The table is part of the format: entries are added at its end, and never change. A JDK that
 * describes such a class otherwise does so in full.
 */
final class PlatformDescriptions {
  private static final int PLAIN = ObjectStreamConstants.SC_SERIALIZABLE;
  private static final int CUSTOM = PLAIN | ObjectStreamConstants.SC_WRITE_METHOD;
  private static final int ENUM = PLAIN | ObjectStreamConstants.SC_ENUM;
  private static final int EXTERNAL =
      ObjectStreamConstants.SC_EXTERNALIZABLE | ObjectStreamConstants.SC_BLOCK_DATA;

  private static final ClassDescription[] TABLE = {
    of("java.lang.Number", -8742448824652078965L, PLAIN),
    of("java.lang.Integer", 1360826667806852920L, PLAIN, "I value"),
    of("java.lang.Long", 4290774380558885855L, PLAIN, "J value"),
    of("java.lang.Double", -9172774392245257468L, PLAIN, "D value"),
    of("java.lang.Float", -2671257302660747028L, PLAIN, "F value"),
    of("java.lang.Short", 7515723908773894738L, PLAIN, "S value"),
    of("java.lang.Byte", -7183698231559129828L, PLAIN, "B value"),
    of("java.lang.Character", 3786198910865385080L, PLAIN, "C value"),
    of("java.lang.Boolean", -3665804199014368530L, PLAIN, "Z value"),
    of("java.lang.Enum", 0, ENUM),
    array("[Z"),
    array("[B"),
    array("[C"),
    array("[S"),
    array("[I"),
    array("[J"),
    array("[F"),
    array("[D"),
    array("[Ljava.lang.String;"),
    array("[Ljava.lang.Object;"),
    of("java.util.ArrayList", 8683452581122892189L, CUSTOM, "I size"),
    of("java.util.LinkedList", 876323262645176354L, CUSTOM),
    of("java.util.ArrayDeque", 2340985798034038923L, CUSTOM),
    of("java.util.Arrays$ArrayList", -2764017481108945198L, PLAIN, "[Ljava/lang/Object; a"),
    of("java.util.CollSer", 6309168927139932177L, CUSTOM, "I tag"),
    of("java.util.HashMap", 362498820763181265L, CUSTOM, "F loadFactor", "I threshold"),
    of("java.util.LinkedHashMap", 3801124242820219131L, PLAIN, "Z accessOrder"),
    of("java.util.HashSet", -5024744406713321676L, CUSTOM),
    of("java.util.LinkedHashSet", -2851667679971038690L, PLAIN),
    of("java.util.TreeMap", 919286545866124006L, CUSTOM, "Ljava/util/Comparator; comparator"),
    of("java.util.TreeSet", -2479143000061671589L, CUSTOM),
    of("java.util.Date", 7523967970034938905L, CUSTOM),
    of("java.util.UUID", -4856846361193249489L, PLAIN, "J leastSigBits", "J mostSigBits"),
    of(
        "java.math.BigInteger",
        -8287574255936472291L,
        CUSTOM,
        "I bitCount",
        "I bitLength",
        "I firstNonzeroByteNum",
        "I lowestSetBit",
        "I signum",
        "[B magnitude"),
    of(
        "java.math.BigDecimal",
        6108874887143696463L,
        CUSTOM,
        "I scale",
        "Ljava/math/BigInteger; intVal"),
    of("java.time.Ser", -7683839454370182990L, EXTERNAL),
    of(
        "java.util.concurrent.ConcurrentHashMap",
        7249069246763182397L,
        CUSTOM,
        "I segmentMask",
        "I segmentShift",
        "[Ljava/util/concurrent/ConcurrentHashMap$Segment; segments"),
  };

  private static final int INTEGER = 1;
  private static final int LONG = 2;

  private static final Map<String, Integer> NUMBERS = numbers();

  /** Classes whose objects have their data in a short form if the table has described them. */
  private static final Set<String> SHORT =
      Set.of(
          "java.lang.Integer",
          "java.lang.Long",
          "java.util.ArrayList",
          "java.util.LinkedList",
          "java.util.ArrayDeque",
          "java.util.CollSer",
          "java.util.HashMap",
          "java.util.LinkedHashMap",
          "java.util.HashSet",
          "java.util.LinkedHashSet",
          "java.util.TreeMap",
          "java.util.TreeSet",
          "java.util.Date",
          "java.math.BigInteger",
          "java.math.BigDecimal",
          "java.time.Ser",
          "java.util.concurrent.ConcurrentHashMap");

  /** Whether this JDK describes {@code Integer} and {@code Long} as the table does. */
  static final boolean ARE_NUMBERS_USUAL =
      find(LocalClass.of(Integer.class).description()) == INTEGER
          && find(LocalClass.of(Long.class).description()) == LONG;

  private PlatformDescriptions() {}

  private static ClassDescription of(String name, long uid, int flags, String... fields) {
    FieldDescription[] described = new FieldDescription[fields.length];
    for (int i = 0; i < fields.length; i++) {
      int space = fields[i].indexOf(' ');
      described[i] =
          new FieldDescription(
              fields[i].charAt(0), fields[i].substring(space + 1), fields[i].substring(0, space));
    }
    try {
      return new ClassDescription(name, uid, flags, described);
    } catch (InvalidClassException e) {
      throw new AssertionError(e);
    }
  }

  private static ClassDescription array(String name) {
    return of(name, Objects.requireNonNull(ArrayVersions.of(name)), PLAIN);
  }

  private static Map<String, Integer> numbers() {
    Map<String, Integer> numbers = new HashMap<>();
    for (int i = 0; i < TABLE.length; i++) {
      numbers.put(TABLE[i].name, i);
    }
    return numbers;
  }

  static int size() {
    return TABLE.length;
  }

  /**
   * The version of an array class of the table, which no description tells; else 0. So the format
   * allows no further array class in the table.
   */
  static long arrayUid(String name) {
    Integer number = name.startsWith("[") ? NUMBERS.get(name) : null;
    return number == null ? 0 : TABLE[number].serialVersionUid;
  }

  static ClassDescription get(int number) {
    return TABLE[number];
  }

  /** Whether objects of a class that the table describes so have their data in a short form. */
  static boolean hasShortForm(ClassDescription description) {
    return SHORT.contains(description.name) && find(description) >= 0;
  }

  /** Whether the description is the table's very own. */
  static boolean holds(ClassDescription description) {
    Integer number = NUMBERS.get(description.name);
    return number != null && TABLE[number] == description;
  }

  /** The number of an equal description, or -1. */
  static int find(ClassDescription description) {
    Integer number = NUMBERS.get(description.name);
    return number != null
            && description.serialVersionUid == TABLE[number].serialVersionUid
            && description.sameLayout(TABLE[number])
        ? number
        : -1;
  }
}
