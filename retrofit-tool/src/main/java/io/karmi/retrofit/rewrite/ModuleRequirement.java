package io.karmi.retrofit.rewrite;

import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ModuleVisitor;
import org.objectweb.asm.Opcodes;

/** Visitor that adds {@code requires} to a module descriptor. */
final class ModuleRequirement extends ClassVisitor {
  private final String required;
  private final ChangeLog log;

  ModuleRequirement(ClassVisitor next, String required, ChangeLog log) {
    super(Opcodes.ASM9, next);
    this.required = required;
    this.log = log;
  }

  @Override
  public ModuleVisitor visitModule(String name, int access, String version) {
    ModuleVisitor next = super.visitModule(name, access, version);
    return new ModuleVisitor(Opcodes.ASM9, next) {
      private boolean present;

      @Override
      public void visitRequire(String module, int access, String version) {
        present |= module.equals(required);
        super.visitRequire(module, access, version);
      }

      @Override
      public void visitEnd() {
        if (!present) {
          super.visitRequire(required, 0, null);
          log.add("requires " + required);
        }
        super.visitEnd();
      }
    };
  }
}
