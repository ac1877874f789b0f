/**
 * Generators of classes that move fields.
 *
 * <p>{@link io.karmi.uka.codegen.AccessGenerator} writes the hidden class behind a {@link
 * io.karmi.uka.field.FieldAccess}; a {@link io.karmi.uka.codegen.FieldCode} says how one field is
 * loaded and stored. {@link io.karmi.uka.codegen.AwareAccess} serves classes that carry their own
 * marshalers, by hand or woven.
 *
 * <p>A new way for generated code to reach fields is a new {@code FieldCode}, and a constant of
 * {@code AccessStrategy} in {@code access} that names it.
 */
@NullMarked
package io.karmi.uka.codegen;

import org.jspecify.annotations.NullMarked;
