package io.karmi.benchmarks.results;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** {@link Results} as a JSON file: the records' components by their names. */
public final class ResultsFile {
  /** Standard output. */
  public static final String STANDARD_OUTPUT = "-";

  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

  private ResultsFile() {}

  /** Writes the file whole, or leaves the one that is there; {@code -} is standard output. */
  public static void write(Results results, String file) throws IOException {
    String json = GSON.toJson(results) + "\n";
    if (file.equals(STANDARD_OUTPUT)) {
      System.out.print(json);
      return;
    }
    Path path = Path.of(file).toAbsolutePath();
    Files.createDirectories(path.getParent());
    Path beside = path.resolveSibling(path.getFileName() + ".new");
    Files.writeString(beside, json);
    Files.move(beside, path, StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * Reads a file of {@link #write}.
   *
   * @throws IOException if it is none, or of another format
   */
  public static Results read(Path file) throws IOException {
    try {
      Results results = GSON.fromJson(Files.readString(file), Results.class);
      if (results == null || results.format() != Results.FORMAT) {
        throw new IOException(
            file
                + " is no file of karmi-bench of format "
                + Results.FORMAT
                + "; measure again with --json "
                + file);
      }
      return results;
    } catch (JsonParseException e) {
      throw new IOException(
          file + " is no JSON of karmi-bench; name a file that it has written with --json", e);
    }
  }
}
