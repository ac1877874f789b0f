package io.karmi.trust;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Commands that execute others with fewer threads and descriptors than the system has. */
final class Limits {
  private static final int MOST_THREADS = 250;
  private static final int MOST_DESCRIPTORS = 300;

  /** User ids of which none has a process, and a user namespace has most. */
  private static final int FIRST_USER = 20_000;

  private static final int END_OF_USERS = 60_000;

  private Limits() {}

  /**
   * Executes a program that can start no more than {@link #MOST_THREADS} threads, and open no more
   * than {@link #MOST_DESCRIPTORS} files.
   *
   * @return null where a limit of threads does not hold, as for a user with other processes
   */
  static @Nullable List<String> ofThreadsAndDescriptors() throws Exception {
    if (!Files.isExecutable(Path.of("/usr/bin/setpriv"))) {
      return null;
    }
    int user = ThreadLocalRandom.current().nextInt(FIRST_USER, END_OF_USERS);
    List<String> command =
        new ArrayList<>(
            List.of(
                "setpriv",
                "--reuid=" + user,
                "--regid=" + user,
                "--clear-groups",
                "--inh-caps=+dac_override,+dac_read_search",
                "--ambient-caps=+dac_override,+dac_read_search"));
    command.addAll(shell("ulimit -u " + MOST_THREADS + " -n " + MOST_DESCRIPTORS));
    return works(command) ? command : null;
  }

  /** Executes a program that can open no more than {@link #MOST_DESCRIPTORS} files. */
  static List<String> ofDescriptors() {
    return shell("ulimit -n " + MOST_DESCRIPTORS);
  }

  private static List<String> shell(String limit) {
    return List.of("bash", "-c", limit + " && exec \"$0\" \"$@\"");
  }

  private static boolean works(List<String> prefix) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(prefix);
    command.add("/bin/true");
    return new ProcessBuilder(command).start().waitFor() == 0;
  }
}
