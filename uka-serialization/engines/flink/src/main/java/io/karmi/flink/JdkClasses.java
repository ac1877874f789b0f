package io.karmi.flink;

import io.karmi.uka.records.NumberedClasses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * The classes of the JDK that have numbers in records: those that the format has short descriptions
 * of.
 *
 * <p>Records do not say what these classes are. So the list and its bytes never change. Where a JDK
 * describes one of the classes otherwise, records that are written there use no numbers, and others
 * are read by the bytes.
 */
final class JdkClasses {
  private static final List<Class<?>> ALL =
      List.of(
          Integer.class,
          Long.class,
          Double.class,
          Float.class,
          Short.class,
          Byte.class,
          Character.class,
          Boolean.class,
          boolean[].class,
          byte[].class,
          char[].class,
          short[].class,
          int[].class,
          long[].class,
          float[].class,
          double[].class,
          String[].class,
          Object[].class,
          java.util.ArrayList.class,
          java.util.LinkedList.class,
          java.util.ArrayDeque.class,
          java.util.HashMap.class,
          java.util.LinkedHashMap.class,
          java.util.HashSet.class,
          java.util.LinkedHashSet.class,
          java.util.TreeMap.class,
          java.util.TreeSet.class,
          java.util.Date.class,
          java.util.UUID.class,
          java.math.BigInteger.class,
          java.math.BigDecimal.class);

  /** Non-public classes whose objects the JDK writes in place of some others. */
  private static final List<String> HIDDEN =
      List.of("java.util.Arrays$ArrayList", "java.util.CollSer", "java.time.Ser");

  /** The bytes that a writer begins with. */
  private static final byte[] BYTES =
      HexFormat.of()
          .parseHex(
              "0601810b01800b000601820b050601830b050601840b050601850b050601860b050601870b000601"
                  + "880b0006018a0b0006018b0b0006018c0b0006018d0b0006018e0b0006018f0b000601900b000601"
                  + "910b000601920b000601930b000601940b000601950b000601960b000601990b0006019a0b1a0601"
                  + "9b0b0006019c0b1c06019d0b0006019e0b0006019f0b000601a00b000601a10b050601a20b050601"
                  + "970b000601980b000601a30b00");

  private JdkClasses() {}

  static List<Class<?>> all() {
    List<Class<?>> all = new ArrayList<>(ALL);
    for (String name : HIDDEN) {
      try {
        all.add(Class.forName(name, false, null));
      } catch (ClassNotFoundException e) {
        /* A JDK without it: areUsual says so. */
      }
    }
    return all;
  }

  /** Made at its first use. */
  private static final class Here {
    static final NumberedClasses CLASSES = make();

    private static NumberedClasses make() {
      try {
        return NumberedClasses.of(all());
      } catch (IOException e) {
        throw new UncheckedIOException("cannot describe classes of the JDK", e);
      }
    }
  }

  /** As this JVM describes them. */
  static NumberedClasses here() {
    return Here.CLASSES;
  }

  /** Whether this JVM describes them as records take for granted. */
  static boolean areUsual() {
    return Arrays.equals(here().bytes(), BYTES);
  }

  /** As records take them for granted: for readers. */
  static NumberedClasses usual() {
    return NumberedClasses.kept(BYTES);
  }
}
