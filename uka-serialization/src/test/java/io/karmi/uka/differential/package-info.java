/**
 * The oracle: one program, run on the streams of {@code java.io} and on ours, must observe the
 * same.
 *
 * <p>A test class of {@code io.karmi.uka.semantics} is an ordinary program written for {@code
 * java.io}. The runner {@link io.karmi.uka.differential.SameProgram} loads it once per {@link
 * io.karmi.uka.differential.World}; the loader of a world replaces the streams that the program
 * creates or extends, as the retrofit tool would. What the program tells {@link
 * io.karmi.uka.differential.Observed} in the JDK's world is what every other world has to see.
 *
 * <p>Observations are text, because the classes of two worlds are different classes.
 */
package io.karmi.uka.differential;
