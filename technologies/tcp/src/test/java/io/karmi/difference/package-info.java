/**
 * The same program on stock RMI and on KaRMI: what it sees must not differ.
 *
 * <p>The programs are in {@code .programs}, know only the JDK, and print what they observe. {@link
 * io.karmi.difference.Launcher} runs one end of a program in a JVM of its own, as it is or with the
 * twins of java.rmi in its class files; {@link io.karmi.difference.DifferenceTest} compares the
 * lines.
 */
package io.karmi.difference;
