package io.karmi.uka.differential;

import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The retrofit tool's weaver, if {@code -Dsemantics.weaver=CLASS} names it: the tool is built on
 * top of this module, and runs these programs again with what it makes of them.
 */
final class Weaver {
  private static final String NAME = System.getProperty("semantics.weaver");

  /** Class file, and where others are found by internal name, to class file. */
  private static final BiFunction<byte[], Function<String, byte[]>, byte[]> WEAVER = load();

  private Weaver() {}

  static boolean isThere() {
    return NAME != null;
  }

  static byte[] weave(byte[] classFile, Function<String, byte[]> others) {
    return WEAVER.apply(classFile, others);
  }

  @SuppressWarnings("unchecked")
  private static BiFunction<byte[], Function<String, byte[]>, byte[]> load() {
    if (NAME == null) {
      return null;
    }
    try {
      return (BiFunction<byte[], Function<String, byte[]>, byte[]>)
          Class.forName(NAME).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no weaver " + NAME, e);
    }
  }
}
