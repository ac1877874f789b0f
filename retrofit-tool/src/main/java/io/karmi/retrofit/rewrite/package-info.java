/**
 * Changes one class file by the rules given: bytes in, bytes out, no class loaded.
 *
 * <p>{@link io.karmi.retrofit.rewrite.Transformer} first looks for the rules' names in the constant
 * pool, without ASM, since nearly every class mentions none. Then ASM visitors run one after the
 * other, each for one kind of change, and note in a {@link io.karmi.retrofit.rewrite.ChangeLog}
 * what they did.
 *
 * <p>No change alters the types on the operand stack: a replacement extends what it replaces, or is
 * its consistent twin, and inserted code either has no branch or ends in a frame equal to the
 * method's first; a method that is added says what its frames are. So stack map frames are copied
 * and never computed, and no class hierarchy is loaded. Attributes that ASM does not know are
 * copied with the constant pool.
 *
 * <p>A class file of a later Java than ASM knows is changed like others, unless it has constants
 * that ASM does not know. Such a one, or a broken one, is left as it is; the outcome says so where
 * it would have been changed.
 */
@NullMarked
package io.karmi.retrofit.rewrite;

import org.jspecify.annotations.NullMarked;
