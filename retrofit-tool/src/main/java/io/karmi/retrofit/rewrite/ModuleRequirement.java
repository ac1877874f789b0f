package io.karmi.retrofit.rewrite;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ModuleVisitor;
import org.objectweb.asm.Opcodes;

/** Visitor that adds {@code requires} to a module descriptor. */
final class ModuleRequirement extends ClassVisitor {
  private final Set<String> missing;
  private final ChangeLog log;

  ModuleRequirement(ClassVisitor next, List<String> required, ChangeLog log) {
    super(Opcodes.ASM9, next);
    this.missing = new LinkedHashSet<>(required);
    this.log = log;
  }

  @Override
  public ModuleVisitor visitModule(String name, int access, String version) {
    ModuleVisitor next = super.visitModule(name, access, version);
    return new ModuleVisitor(Opcodes.ASM9, next) {
      @Override
      public void visitRequire(String module, int access, String version) {
        missing.remove(module);
        super.visitRequire(module, access, version);
      }

      @Override
      public void visitEnd() {
        for (String module : missing) {
          super.visitRequire(module, 0, null);
          log.add("requires " + module);
        }
        super.visitEnd();
      }
    };
  }
}
