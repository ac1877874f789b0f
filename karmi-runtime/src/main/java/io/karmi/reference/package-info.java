/**
 * The reference layer: who is called, and with what semantics (paper 4.1, 4.2).
 *
 * <p>Above lie stubs and skeletons, which know {@link io.karmi.reference.ClientRef} and {@link
 * io.karmi.reference.Skeleton}. Below lies a {@link io.karmi.technology.Technology}. A {@link
 * io.karmi.reference.Node} is the runtime of one JVM: its technologies, its exported objects, its
 * collector. All rules of RMI about exceptions live here: technologies report what went wrong on
 * the way, skeletons what the method threw, and {@link io.karmi.reference.ServerRef} and {@link
 * io.karmi.reference.ClientRef} turn both into what an application of java.rmi expects.
 */
@NullMarked
package io.karmi.reference;

import org.jspecify.annotations.NullMarked;
