package io.karmi.benchmarks.report;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reports as JSON: the record's components by their names. */
public final class JsonFile {
  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

  private JsonFile() {}

  /** Writes {@code report}, a record, to {@code file}; {@code -} is standard output. */
  public static void write(Object report, String file) throws IOException {
    String json = GSON.toJson(report) + "\n";
    if (file.equals("-")) {
      System.out.print(json);
      return;
    }
    Path path = Path.of(file);
    Files.createDirectories(path.toAbsolutePath().getParent());
    Files.writeString(path, json);
  }
}
