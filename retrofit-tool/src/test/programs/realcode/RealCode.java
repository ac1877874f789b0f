package realcode;

import java.nio.file.Path;
import java.util.TreeMap;

/** Something real with each library; what it prints does not depend on the day, the machine or the streams. */
public final class RealCode {
  private RealCode() {}

  interface Use {
    Object on(Path directory) throws Exception;
  }

  /** Prints a line for each library. The argument is a directory to work in. */
  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    TreeMap<String, Use> uses = new TreeMap<>();
    uses.put("collections4", Libraries::collections);
    uses.put("lang3", Libraries::lang);
    uses.put("guava", Libraries::guava);
    uses.put("spring", Libraries::spring);
    uses.put("ehcache", Caches::ehcache);
    uses.put("h2", Caches::h2);
    uses.put("tomcat", Sessions::restart);
    for (String name : uses.keySet()) {
      System.out.println(name + ": " + uses.get(name).on(directory));
    }
    System.exit(0); // not every library ends its threads
  }
}
