package io.karmi.retrofit.rules;

/**
 * A method of the JDK that is changed to ask KaRMI before it runs its own body. It begins with
 * {@code if (guard(arguments)) return action(arguments)}, or with {@code if (guard(arguments))
 * argument = action(arguments)}.
 *
 * <p>Guard and action are static methods of {@code facade}. Both take the arguments of the entry
 * point, preceded by the receiver as an {@code Object} if it is an instance method. The guard
 * returns a boolean, and the action the entry point's result or the new argument.
 *
 * @param owner internal name of the class whose body changes
 * @param name of the method; of the body of a lambda, up to the number that the compiler adds
 * @param facade internal name of the class with guard and action
 * @param replaced index, from 0, of the argument that the action's result replaces, counted as
 *     guard and action have them; {@link #RETURNS} if the entry point returns that result
 */
public record EntryPoint(
    String owner,
    String name,
    String descriptor,
    String facade,
    String guard,
    String action,
    int replaced) {
  /** No argument is replaced. */
  public static final int RETURNS = -1;

  /** Whether it is the method of this name and descriptor. */
  public boolean is(String method, String itsDescriptor) {
    boolean named = name.endsWith("$") ? method.startsWith(name) : method.equals(name);
    return named && descriptor.equals(itsDescriptor);
  }
}
