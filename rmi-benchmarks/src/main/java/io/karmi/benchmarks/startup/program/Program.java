package io.karmi.benchmarks.startup.program;

/** Loads, makes and asks one object of each class, as programs do when they start. */
public final class Program {
  private Program() {}

  /** Prints a sum over all objects; the arguments are the names of templates and their counts. */
  public static void main(String[] arguments) throws ReflectiveOperationException {
    int sum = 0;
    for (int i = 0; i < arguments.length; i += 2) {
      int count = Integer.parseInt(arguments[i + 1]);
      for (int number = 0; number < count; number++) {
        String name = arguments[i].concat(Integer.toString(10_000 + number).substring(1));
        sum += Class.forName(name).getConstructor().newInstance().hashCode();
      }
    }
    System.out.println(sum);
  }
}
