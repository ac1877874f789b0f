/**
 * Support for data engines: records that stand alone without a description of their classes in
 * each.
 *
 * <p>{@link io.karmi.uka.records.NumberedClasses} gives the same type numbers to a writer and a
 * reader without a message between them. {@link io.karmi.uka.records.LoaderInput} finds classes by
 * the loader of a job. The modules below {@code uka-serialization/engines} share both. Neither is
 * public API.
 */
@NullMarked
package io.karmi.uka.records;

import org.jspecify.annotations.NullMarked;
