/**
 * The choice of how the fields of a serializable class are reached, private and final ones and the
 * JDK's own included.
 *
 * <p>{@link io.karmi.uka.field.FieldAccess} moves the primitive fields of one class level as one
 * block (KaRMI paper, 3.5) and the references by index, or whole objects between streams and memory
 * in one call. There are several ways to do it, the strategies; which one serves a class is decided
 * once per class:
 *
 * <ol>
 *   <li><b>nestmate</b>: a hidden class in the nest of the serializable class, plain {@code
 *       getfield} and {@code putfield}. Needs a class loader that sees this library and an open
 *       package.
 *   <li><b>internal-unsafe</b>: {@code jdk.internal.misc.Unsafe}, where an agent or a command line
 *       has exported it to this library. Probed, never required.
 *   <li><b>handles</b>: a hidden class of this library with constant method handles. Needs the open
 *       package only.
 *   <li><b>unsafe</b>: {@code sun.misc.Unsafe}, on JDKs that allow its memory access silently
 *       (before 24).
 *   <li><b>reflection</b>: {@link java.lang.reflect.Field}, for the first hundred uses of a class's
 *       fields, as it needs no code to be generated. Needs the open package, and no record.
 *   <li><b>streams</b>: the default methods of {@code sun.reflect.ReflectionFactory} (from 24 on),
 *       which talk to small stream objects of ours. Slow, but sanctioned, and reaches what the
 *       strategies above do not.
 * </ol>
 *
 * <p>Classes that carry their own marshalers ({@code UkaAware}, written by hand or woven) need no
 * access from outside: {@link io.karmi.uka.codegen.AwareAccess} calls them.
 *
 * <p>The system property {@code uka.access} names the strategy to try first; {@code
 * uka.trace=access} prints the strategy of every class, or {@code aware}.
 *
 * <p>A new way of reaching fields is a new constant of {@link io.karmi.uka.access.AccessStrategy}
 * and, where code is generated, a new {@code FieldCode}. A class that no strategy reaches is an
 * {@link java.io.InvalidClassException} that says so.
 */
@NullMarked
package io.karmi.uka.access;

import org.jspecify.annotations.NullMarked;
