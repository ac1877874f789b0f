package io.karmi.benchmarks.startup.program;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Loads, makes and asks one object of each class, as programs do when they start, and copies some
 * graphs of objects by streams, each by two of its own.
 */
public final class Program {
  private Program() {}

  /**
   * Prints a sum over all objects; the arguments are how many graphs to copy, and then the names of
   * templates and their counts.
   */
  public static void main(String[] arguments)
      throws ReflectiveOperationException, IOException, ClassNotFoundException {
    int sum = 0;
    for (int i = 1; i < arguments.length; i += 2) {
      int count = Integer.parseInt(arguments[i + 1]);
      for (int number = 0; number < count; number++) {
        String name = arguments[i].concat(Integer.toString(10_000 + number).substring(1));
        sum += Class.forName(name).getConstructor().newInstance().hashCode();
      }
    }
    for (int number = Integer.parseInt(arguments[0]); number > 0; number--) {
      sum += new Copies0000().copy(graph(number)).hashCode();
    }
    System.out.println(sum);
  }

  private static Object graph(int number) {
    List<Object> graph = new ArrayList<>();
    graph.add(new Hooked0000());
    graph.add(new HashMap<>(Map.of("number", number)));
    graph.add(new Leaf0000(number));
    return graph;
  }
}
