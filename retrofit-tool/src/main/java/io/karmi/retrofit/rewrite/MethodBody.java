package io.karmi.retrofit.rewrite;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodNode;

/** Method whose instructions are changed as a whole before they go to the next visitor. */
abstract class MethodBody extends MethodNode {
  private final MethodVisitor next;

  MethodBody(
      int access,
      String name,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions,
      MethodVisitor next) {
    super(Opcodes.ASM9, access, name, descriptor, signature, exceptions);
    this.next = next;
  }

  /** Changes {@link #instructions}, which are complete. */
  abstract void change();

  @Override
  public final void visitEnd() {
    change();
    accept(next);
  }
}
