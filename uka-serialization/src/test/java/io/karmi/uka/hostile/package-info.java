/**
 * Bytes from an enemy. Whatever arrives, the outcome is an object, or an exception that the JDK's
 * streams could also throw; never an {@code Error}, a hang, or memory out of proportion to the
 * bytes received.
 *
 * <p>{@link io.karmi.uka.hostile.FuzzTarget} says so for one input. {@link
 * io.karmi.uka.hostile.HostileBytesTest} asks it about mutated streams and about all that fuzzing
 * has found; {@link io.karmi.uka.hostile.Fuzzing} lets Jazzer look for more.
 */
package io.karmi.uka.hostile;
