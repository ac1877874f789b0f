package io.karmi.kit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A page of {@code docs/recipes}, whose commands a test runs as they stand there. Immutable. */
public final class Recipe {
  private static final String BLOCK = "```";

  private final Path page;
  private final List<List<String>> commands;

  private Recipe(Path page, List<List<String>> commands) {
    this.page = page;
    this.commands = commands;
  }

  /**
   * Reads the page with this name. The commands are the lines of its blocks of code, without what
   * follows a {@code #}; a line that ends with a backslash goes on in the next one.
   */
  public static Recipe read(String name) throws IOException {
    Path page = root().resolve("docs/recipes").resolve(name + ".md");
    List<List<String>> commands = new ArrayList<>();
    boolean inBlock = false;
    String begun = "";
    for (String line : Files.readAllLines(page)) {
      if (line.startsWith(BLOCK)) {
        inBlock = !inBlock;
      } else if (inBlock) {
        String command = begun + line.replaceFirst("(^|\\s)#.*", "").strip();
        boolean goesOn = command.endsWith("\\");
        begun = goesOn ? command.substring(0, command.length() - 1) : "";
        if (!goesOn && !command.isEmpty()) {
          commands.add(List.of(command.split("\\s+")));
        }
      }
    }
    return new Recipe(page, commands);
  }

  private static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(folder.resolve("docs/recipes"))) {
      folder = folder.getParent();
    }
    return folder;
  }

  /**
   * The words of a command.
   *
   * @param beginning how it begins; the only one that begins so, but may be there twice
   * @param here what stands here for names of the page, also inside of words
   */
  public List<String> command(String beginning, Map<String, ? extends Object> here) {
    List<String> wanted = Arrays.asList(beginning.split(" "));
    List<List<String>> found = new ArrayList<>();
    for (List<String> each : commands) {
      boolean begins =
          each.size() >= wanted.size() && each.subList(0, wanted.size()).equals(wanted);
      if (begins && !found.contains(each)) {
        found.add(each);
      }
    }
    if (found.size() != 1) {
      throw new AssertionError(
          found.size() + " commands of " + page + " begin with '" + beginning + "': " + commands);
    }
    List<String> words = new ArrayList<>();
    for (String word : found.get(0)) {
      String put = word;
      for (Map.Entry<String, ? extends Object> each : here.entrySet()) {
        put = put.replace(each.getKey(), each.getValue().toString());
      }
      words.add(put);
    }
    return words;
  }

  @Override
  public String toString() {
    return page + " " + commands;
  }
}
