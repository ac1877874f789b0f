package io.karmi.retrofit.explain;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A main class that opens further jars of its product's folder, which neither the class path nor a
 * manifest names.
 */
enum Launcher {
  /** Of {@code bin/ApacheJMeter.jar}. */
  JMETER("org/apache/jmeter/NewDriver", "jmeter.home", List.of("lib", "lib/ext", "lib/junit"), ""),

  /** Of {@code bin/bootstrap.jar}: the server's jars, and those of its applications. */
  TOMCAT("org/apache/catalina/startup/Bootstrap", "catalina.home", List.of("lib"), "webapps");

  private final String main;

  /** System property with the product's folder, if it is not that above the launcher's jar. */
  final String property;

  private final List<String> folders;
  private final String applications;

  Launcher(String main, String property, List<String> folders, String applications) {
    this.main = main;
    this.property = property;
    this.folders = folders;
    this.applications = applications;
  }

  /** The launcher with this main class, by its internal name, or null. */
  static @Nullable Launcher of(@Nullable String main) {
    for (Launcher each : values()) {
      if (each.main.equals(main)) {
        return each;
      }
    }
    return null;
  }

  /** Name of the main class's file in a jar. */
  String file() {
    return main + ".class";
  }

  /** The jars and folders of classes that it opens, as far as they are there. */
  List<Path> opens(Path home) throws IOException {
    List<Path> all = new ArrayList<>();
    for (String each : folders) {
      all.addAll(jars(home.resolve(each)));
    }
    Path deployed = home.resolve(applications);
    for (Path each : applications.isEmpty() ? List.<Path>of() : sorted(deployed)) {
      Path unpacked = Path.of(each.toString().replaceFirst("\\.war$", ""));
      if (Files.isDirectory(each)) {
        if (Files.isDirectory(each.resolve("WEB-INF/classes"))) {
          all.add(each.resolve("WEB-INF/classes"));
        }
        all.addAll(jars(each.resolve("WEB-INF/lib")));
      } else if (!unpacked.equals(each) && !Files.exists(unpacked)) {
        all.add(each);
      }
    }
    return all;
  }

  private static List<Path> jars(Path folder) throws IOException {
    return sorted(folder).stream().filter(each -> each.toString().endsWith(".jar")).toList();
  }

  private static List<Path> sorted(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> list = Files.list(folder)) {
      return list.sorted().toList();
    }
  }
}
