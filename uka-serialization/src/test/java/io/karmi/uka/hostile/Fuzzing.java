package io.karmi.uka.hostile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs Jazzer on {@link FuzzTarget}: {@code Fuzzing <minutes> <directory>}. The directory keeps the
 * corpus from run to run; what is found is written beside it as {@code crash-…}, and belongs among
 * the findings of the test's resources once fixed.
 *
 * <p>Jazzer is not among the dependencies; have {@code com.code-intelligence:jazzer} on the class
 * path.
 */
public final class Fuzzing {

  private Fuzzing() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    if (arguments.length != 2) {
      System.err.println("usage: Fuzzing <minutes> <directory>");
      System.exit(2);
    }
    Path corpus = Files.createDirectories(Path.of(arguments[1]).resolve("corpus"));
    int number = 0;
    for (byte[] seed : Seeds.all()) {
      Files.write(corpus.resolve("seed-" + number++), seed);
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx1g");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add("com.code_intelligence.jazzer.Jazzer");
    command.add("--target_class=" + FuzzTarget.class.getName());
    command.add("--instrumentation_includes=io.karmi.uka.**");
    command.add("--custom_hook_includes=none");
    command.add("--disabled_hooks=*");
    command.add("--keep_going=20");
    command.add("--reproducer_path=" + arguments[1]);
    command.add("-artifact_prefix=" + arguments[1] + "/");
    command.add("-max_total_time=" + 60 * Integer.parseInt(arguments[0]));
    command.add("-timeout=20");
    command.add("-max_len=2000");
    command.add(corpus.toString());
    System.exit(new ProcessBuilder(command).inheritIO().start().waitFor());
  }
}
