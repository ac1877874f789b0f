package io.karmi.retrofit.rewrite;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ModuleVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Visitor that adds {@code requires} to a module descriptor. What is exported or open to java.rmi
 * is exported or open to KaRMI as well, which calls remote objects in its place.
 */
final class ModuleRequirement extends ClassVisitor {
  private static final String RMI = "java.rmi";
  private static final String KARMI = "io.karmi";

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
      public void visitExport(String packageName, int access, String... modules) {
        super.visitExport(packageName, access, withKarmi("exports ", packageName, modules));
      }

      @Override
      public void visitOpen(String packageName, int access, String... modules) {
        super.visitOpen(packageName, access, withKarmi("opens ", packageName, modules));
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

  /** To whom a package is shown; null where all see it. */
  private String @Nullable [] withKarmi(
      String directive, String packageName, String @Nullable [] modules) {
    if (modules == null || !List.of(modules).contains(RMI) || List.of(modules).contains(KARMI)) {
      return modules;
    }
    log.add(directive + packageName.replace('/', '.') + " to " + KARMI);
    String[] more = Arrays.copyOf(modules, modules.length + 1);
    more[modules.length] = KARMI;
    return more;
  }
}
