/**
 * The writing half of the engine.
 *
 * <p>{@link io.karmi.uka.engine.write.MessageWriter} is what a stream calls; {@link
 * io.karmi.uka.engine.write.ObjectWriter} decides for each object whether it is null, known,
 * replaced or new, and hands a new one to the {@link io.karmi.uka.engine.write.Marshaler} of its
 * class. Which one that is, {@link io.karmi.uka.engine.write.WriteStrategies} says. What a program
 * has overridden in its stream is reached through {@link io.karmi.uka.engine.write.OutputHooks}.
 *
 * <p>Errors are the JDK's, at the same moment.
 */
@NullMarked
package io.karmi.uka.engine.write;

import org.jspecify.annotations.NullMarked;
