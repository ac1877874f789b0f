/**
 * The reading half of the engine.
 *
 * <p>{@link io.karmi.uka.engine.read.MessageReader} serves a stream; {@link
 * io.karmi.uka.engine.read.ObjectReader} takes the fast path where nothing observes the object, and
 * {@link io.karmi.uka.engine.read.ValueReader} the general one. An {@link
 * io.karmi.uka.engine.read.Unmarshaler} reads objects of one type of one stream. The choice of it
 * is {@link io.karmi.uka.engine.read.ReadStrategies}. All of them, and the parts that read types,
 * fields and a program's own data, are given a {@link io.karmi.uka.engine.read.ReadContext}. What a
 * program has overridden in its stream is called through {@link
 * io.karmi.uka.engine.read.InputHooks}.
 *
 * <p>Errors are the same as the JDK's, at the same moment.
 */
@NullMarked
package io.karmi.uka.engine.read;

import org.jspecify.annotations.NullMarked;
