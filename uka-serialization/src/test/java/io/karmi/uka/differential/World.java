package io.karmi.uka.differential;

import java.util.List;
import java.util.Map;

/**
 * Which streams a program gets when it asks for those of {@code java.io}.
 *
 * @param name shown behind the test's name
 * @param output class to use instead of {@code java.io.ObjectOutputStream}, by its internal name
 * @param input class to use instead of {@code java.io.ObjectInputStream}, by its internal name
 * @param jdkFormat whether the bytes must be those that the JDK writes
 * @param woven whether the program's classes are given marshalers of their own
 */
public record World(String name, String output, String input, boolean jdkFormat, boolean woven) {

  private static final String JDK_OUTPUT = "java/io/ObjectOutputStream";
  private static final String JDK_INPUT = "java/io/ObjectInputStream";

  public static final World JDK = new World("jdk", JDK_OUTPUT, JDK_INPUT, true, false);

  private static final String UKA_OUTPUT = "io/karmi/uka/UkaObjectOutputStream";
  private static final String UKA_INPUT = "io/karmi/uka/UkaObjectInputStream";
  private static final String JDK_FORMAT_OUTPUT =
      JdkFormatObjectOutputStream.class.getName().replace('.', '/');

  private static final String JDK_FORMAT_INPUT =
      JdkFormatObjectInputStream.class.getName().replace('.', '/');

  private static final List<World> UNWOVEN =
      List.of(
          new World("uka", UKA_OUTPUT, UKA_INPUT, false, false),
          new World("jdk to uka", JDK_OUTPUT, JDK_FORMAT_INPUT, true, false),
          new World("uka to jdk", JDK_FORMAT_OUTPUT, JDK_INPUT, true, false),
          new World("jdk format", JDK_FORMAT_OUTPUT, JDK_FORMAT_INPUT, true, false));

  private static final List<World> WOVEN =
      List.of(
          new World("woven", UKA_OUTPUT, UKA_INPUT, false, true),
          new World("woven, jdk format", JDK_FORMAT_OUTPUT, JDK_FORMAT_INPUT, true, true));

  /**
   * Name of the system property that leaves out worlds in which the JDK writes or reads: where only
   * our own code differs from that of another run. The bytes are still compared with the JDK's.
   */
  public static final String OURS_ALONE = "karmi.test.worlds.ours";

  /** All worlds that have to agree with {@link #JDK}: those with a weaver if there is one. */
  public static final List<World> OTHERS = others();

  private static List<World> others() {
    List<World> all = Weaver.isThere() ? WOVEN : UNWOVEN;
    return isOursAlone() ? all.stream().filter(World::isOurs).toList() : all;
  }

  static boolean isOursAlone() {
    return Boolean.getBoolean(OURS_ALONE);
  }

  private boolean isOurs() {
    return !output.equals(JDK_OUTPUT) && !input.equals(JDK_INPUT);
  }

  Map<String, String> replacements() {
    return Map.of(JDK_OUTPUT, output, JDK_INPUT, input);
  }
}
