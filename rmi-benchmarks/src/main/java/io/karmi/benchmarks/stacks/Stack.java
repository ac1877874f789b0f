package io.karmi.benchmarks.stacks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A software configuration under which the same class files run (section 6.2). */
public enum Stack {
  /** What the JDK brings. */
  RMI("stock RMI"),
  /** The JDK's RMI, whose three stream classes are patched on the boot path. */
  RMI_UKA("RMI + UKA", "--via=boot", "--only=serialization"),
  /** KaRMI over the JDK's streams. */
  KARMI_JDK("KaRMI + JDK", "--only=rmi"),
  /** All of KaRMI. */
  KARMI_UKA("KaRMI + UKA");

  private final String title;
  private final List<String> options;

  Stack(String title, String... options) {
    this.title = title;
    this.options = List.of(options);
  }

  /** The name in the tables. */
  public String title() {
    return title;
  }

  /** Is this what all others are compared with? */
  public boolean isStock() {
    return this == RMI;
  }

  /**
   * How java is started on this stack.
   *
   * @param karmiHome the distribution's folder, with {@code bin/karmi-java}
   */
  List<String> javaCommand(Path karmiHome) {
    List<String> command = new ArrayList<>();
    if (isStock()) {
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    } else {
      command.add(karmiHome.resolve("bin").resolve("karmi-java").toString());
      command.addAll(options);
    }
    return command;
  }
}
