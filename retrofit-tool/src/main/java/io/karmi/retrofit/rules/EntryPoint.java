package io.karmi.retrofit.rules;

/**
 * A method of the JDK that asks KaRMI first: {@code if (guard(arguments)) return
 * action(arguments)}, else its own body; or {@code if (guard(arguments)) argument =
 * action(arguments)}, and then its own body.
 *
 * <p>Guard and action are static methods of {@code facade}. The action takes the arguments of the
 * entry point, preceded by the receiver as an {@code Object} if it is an instance method, and
 * returns what the entry point returns, or the argument; the guard takes the same and returns a
 * boolean.
 *
 * @param owner internal name of the class whose body changes
 * @param facade internal name of the class with guard and action
 * @param replaced which of these arguments, from 0, becomes what the action returns; {@link
 *     #RETURNS} if the entry point returns it
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
}
