/**
 * The writing half of the engine.
 *
 * <p>{@link io.karmi.uka.engine.write.MessageWriter} serves a stream; {@link
 * io.karmi.uka.engine.write.ObjectWriter} writes an object that is new by the {@link
 * io.karmi.uka.engine.write.Marshaler} of its class. The choice of it is {@link
 * io.karmi.uka.engine.write.WriteStrategies}. What a program has overridden in its stream is called
 * through {@link io.karmi.uka.engine.write.OutputHooks}.
 *
 * <p>Errors are the same as the JDK's, at the same moment.
 */
@NullMarked
package io.karmi.uka.engine.write;

import org.jspecify.annotations.NullMarked;
