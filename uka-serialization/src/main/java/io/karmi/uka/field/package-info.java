/**
 * The fields of serializable classes: their layout, and access to them without generated code.
 *
 * <p>{@link io.karmi.uka.field.FieldLayout} says where the fields of one class level lie in a block
 * of primitives (KaRMI paper, 3.5) and in a list of references. {@link
 * io.karmi.uka.field.FieldAccess} moves them; {@link io.karmi.uka.field.ObjectAccess} moves whole
 * objects between {@link io.karmi.uka.field.FieldSink} or {@link io.karmi.uka.field.FieldSource}
 * and memory. Generated access is in {@code codegen}; {@code access} chooses.
 */
@NullMarked
package io.karmi.uka.field;

import org.jspecify.annotations.NullMarked;
