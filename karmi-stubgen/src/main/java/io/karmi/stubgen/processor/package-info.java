/**
 * karmic as an annotation processor: makes stubs and skeletons of what the compiler compiles.
 *
 * <p>{@link io.karmi.stubgen.processor.KarmicProcessor} sees the compiler's own classes through
 * {@link io.karmi.stubgen.processor.ElementView}. Problems are the compiler's messages, at the
 * method's place in the source.
 */
@NullMarked
package io.karmi.stubgen.processor;

import org.jspecify.annotations.NullMarked;
