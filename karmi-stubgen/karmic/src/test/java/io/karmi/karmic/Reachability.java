package io.karmi.karmic;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** What native-image's reachability metadata on a class path registers, all files together. */
final class Reachability {
  private static final String FOLDER = "META-INF/native-image";
  private static final String FILE = "reachability-metadata.json";

  /** Names of entries in version 1.2.0 of GraalVM's schema. */
  private static final Set<String> KNOWN =
      Set.of(
          "type",
          "methods",
          "fields",
          "allDeclaredMethods",
          "allDeclaredFields",
          "allDeclaredConstructors",
          "allPublicMethods",
          "unsafeAllocated",
          "serializable");

  private final Map<String, List<JsonObject>> entries = new HashMap<>();

  /** Reads all files of a class path. */
  static Reachability of(String classPath) throws IOException {
    Reachability all = new Reachability();
    for (String each : classPath.split(File.pathSeparator)) {
      Path path = Path.of(each);
      if (Files.isDirectory(path)) {
        all.read(path);
      } else if (each.endsWith(".jar")) {
        URI jar = URI.create("jar:" + path.toUri());
        try (FileSystem files = FileSystems.newFileSystem(jar, Map.of())) {
          all.read(files.getPath("/"));
        }
      }
    }
    return all;
  }

  private void read(Path root) throws IOException {
    Path folder = root.resolve(FOLDER);
    if (Files.isDirectory(folder)) {
      try (Stream<Path> walk = Files.walk(folder)) {
        for (Path file : (Iterable<Path>) walk::iterator) {
          if (file.endsWith(FILE)) {
            add(JsonParser.parseString(Files.readString(file)).getAsJsonObject(), file);
          }
        }
      }
    }
  }

  private void add(JsonObject file, Path from) {
    for (JsonElement each : file.getAsJsonArray("reflection")) {
      JsonObject entry = each.getAsJsonObject();
      if (!KNOWN.containsAll(entry.keySet())) {
        throw new AssertionError("native-image does not know all of " + entry + " in " + from);
      }
      entries.computeIfAbsent(name(entry.get("type")), name -> new ArrayList<>()).add(entry);
    }
  }

  private static String name(JsonElement type) {
    if (!type.isJsonObject()) {
      return type.getAsString();
    }
    List<String> interfaces = new ArrayList<>();
    type.getAsJsonObject()
        .getAsJsonArray("proxy")
        .forEach(name -> interfaces.add(name.getAsString()));
    return String.join(",", interfaces);
  }

  /** Whether what a line of {@link ReflectionTracer} says is registered. */
  boolean registers(String line) {
    String[] words = line.split(" ", 3);
    return entries.getOrDefault(words[1], List.of()).stream()
        .anyMatch(
            entry ->
                switch (words[0]) {
                  case "method" -> hasMethod(entry, words[2]);
                  case "field" -> is(entry, "allDeclaredFields") || hasField(entry, words[2]);
                  case "serializable" -> is(entry, "serializable");
                  default -> true;
                });
  }

  private static boolean hasMethod(JsonObject entry, String wanted) {
    boolean constructor = wanted.startsWith("<init>");
    if (is(entry, constructor ? "allDeclaredConstructors" : "allDeclaredMethods")) {
      return true;
    }
    for (JsonElement each : list(entry, "methods")) {
      JsonObject method = each.getAsJsonObject();
      List<String> parameters = new ArrayList<>();
      list(method, "parameterTypes").forEach(type -> parameters.add(type.getAsString()));
      String found = method.get("name").getAsString() + "(" + String.join(",", parameters) + ")";
      if (found.equals(wanted)) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasField(JsonObject entry, String wanted) {
    for (JsonElement each : list(entry, "fields")) {
      if (each.getAsJsonObject().get("name").getAsString().equals(wanted)) {
        return true;
      }
    }
    return false;
  }

  private static boolean is(JsonObject entry, String flag) {
    return entry.has(flag) && entry.get(flag).getAsBoolean();
  }

  private static JsonArray list(JsonObject entry, String name) {
    return entry.has(name) ? entry.getAsJsonArray(name) : new JsonArray();
  }
}
