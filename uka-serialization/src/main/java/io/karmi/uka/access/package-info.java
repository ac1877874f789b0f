/**
 * Choice of the strategy by which the fields of a class are reached, private and final ones and
 * those of the JDK included. It is made once per class:
 *
 * <ol>
 *   <li><b>nestmate</b>: a hidden class in the nest of the serializable class, with plain {@code
 *       getfield} and {@code putfield}. Needs a class loader that sees this library and an open
 *       package.
 *   <li><b>internal-unsafe</b>: {@code jdk.internal.misc.Unsafe}, where an agent or a command line
 *       has exported it to this library.
 *   <li><b>handles</b>: a hidden class of this library with constant method handles. Needs the open
 *       package only.
 *   <li><b>unsafe</b>: {@code sun.misc.Unsafe}, on JDKs that do not warn of it (before 24).
 *   <li><b>reflection</b>: {@link java.lang.reflect.Field}, for the first hundred uses of a class's
 *       fields, as it needs no generated code. Needs the open package, and no record.
 *   <li><b>streams</b>: the default methods of {@code sun.reflect.ReflectionFactory} (from 24 on)
 *       with small stream objects of this library. Slow, but reaches what the others do not.
 * </ol>
 *
 * <p>From JDK 26 on the JDK warns where reflection or a method handle sets a final field, and
 * refuses it in packages that an agent has opened. There reflection does not serve classes with a
 * final field that is serialized, and nestmate and handles only get their fields: {@link
 * io.karmi.uka.field.StreamSetting} sets them. Where an agent or the boot path exports it,
 * internal-unsafe comes first for them.
 *
 * <p>Classes that carry their own marshalers ({@code UkaAware}, by hand or woven) are served by
 * {@link io.karmi.uka.codegen.AwareAccess}.
 *
 * <p>The system property {@code uka.access} names the strategy to try first; {@code
 * uka.trace=access} prints the strategy of every class, or {@code aware}.
 *
 * <p>A new strategy is a new constant of {@link io.karmi.uka.access.AccessStrategy} and, where code
 * is generated, a new {@code FieldCode}. A class that no strategy reaches is an {@link
 * java.io.InvalidClassException} with the reasons.
 */
@NullMarked
package io.karmi.uka.access;

import org.jspecify.annotations.NullMarked;
