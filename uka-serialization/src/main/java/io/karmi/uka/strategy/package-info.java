/**
 * Strategies by which objects of ordinary classes are written and read: by fields, by methods of
 * the class, by a constructor, or by the class's own marshalers; and strings, arrays and enum
 * constants.
 *
 * <p>To make a kind of class faster, add a {@link io.karmi.uka.engine.write.Marshaler} that writes
 * the same bytes, or an {@link io.karmi.uka.engine.read.Unmarshaler} that reads them, and choose it
 * in {@code codec.Strategies}.
 */
@NullMarked
package io.karmi.uka.strategy;

import org.jspecify.annotations.NullMarked;
