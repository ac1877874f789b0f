package io.karmi.retrofit.jar;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * The programs for {@code java -jar} among the outputs of one run that need KaRMI beside them:
 * those that have changed, and those that start what has.
 */
final class Programs {
  /** By the folder in which they look for KaRMI. */
  private final Map<Path, Path> told = new LinkedHashMap<>();

  /** Jars and class files that have changed, by the names that they have in the end. */
  private final Set<Path> changed = new HashSet<>();

  /** Jars that have not, by the names that they have in the end. */
  private final Map<Path, Jar> unchanged = new LinkedHashMap<>();

  /**
   * A jar that is copied as it is.
   *
   * @param target where the copy is, for now
   */
  private record Jar(Path source, Path target, Path name) {}

  /** One of each folder. */
  Collection<Path> all() {
    return Collections.unmodifiableCollection(told.values());
  }

  void add(Path name) throws IOException {
    told.putIfAbsent(Outputs.parent(name.toAbsolutePath()), name);
  }

  void changed(Path name) {
    changed.add(absolute(name));
  }

  void unchanged(Path source, Path target, Path name) {
    unchanged.put(absolute(name), new Jar(source, target, name));
  }

  private static Path absolute(Path name) {
    return name.toAbsolutePath().normalize();
  }

  /**
   * Lets each program that starts what has changed name KaRMI on its class path.
   *
   * @return these programs, by the names that they have in the end
   */
  List<Path> connect(JarRewriter jars) throws IOException {
    if (changed.isEmpty()) {
      return List.of();
    }
    List<Path> connected = new ArrayList<>();
    Map<Path, List<Path>> classPaths = new HashMap<>();
    Set<Path> mains = new HashSet<>();
    for (Map.Entry<Path, Jar> each : unchanged.entrySet()) {
      Manifest manifest = manifest(each.getValue().source);
      if (manifest != null) {
        classPaths.put(each.getKey(), Manifests.classPath(manifest, each.getKey()));
        if (manifest.getMainAttributes().containsKey(Attributes.Name.MAIN_CLASS)) {
          mains.add(each.getKey());
        }
      }
    }
    for (Map.Entry<Path, Jar> each : unchanged.entrySet()) {
      if (mains.contains(each.getKey()) && startsChanged(each.getKey(), classPaths)) {
        jars.connect(each.getValue().source.toString(), each.getValue().target);
        add(each.getValue().name);
        connected.add(each.getValue().name);
      }
    }
    return connected;
  }

  private static @Nullable Manifest manifest(Path jar) {
    try (ZipFile file = new ZipFile(jar.toFile())) {
      return Manifests.of(file);
    } catch (IOException e) {
      return null; // a broken one names nothing
    }
  }

  /** Whether something that has changed is on the class path of a jar, or of one that it names. */
  private boolean startsChanged(Path program, Map<Path, List<Path>> classPaths) {
    Set<Path> seen = new HashSet<>();
    Deque<Path> next = new ArrayDeque<>(List.of(program));
    while (!next.isEmpty()) {
      for (Path named : classPaths.getOrDefault(next.pop(), List.of())) {
        Path normal = named.normalize();
        if (holdsChanged(normal)) {
          return true;
        }
        if (seen.add(normal)) {
          next.push(normal);
        }
      }
    }
    return false;
  }

  private boolean holdsChanged(Path named) {
    if (changed.contains(named)) {
      return true;
    }
    if (unchanged.containsKey(named)) {
      return false;
    }
    for (Path each : changed) {
      if (each.startsWith(named) && each.toString().endsWith(".class")) {
        return true; // of a folder of classes
      }
    }
    return false;
  }
}
