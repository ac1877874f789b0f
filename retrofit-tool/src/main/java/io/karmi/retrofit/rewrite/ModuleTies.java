package io.karmi.retrofit.rewrite;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Attribute;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ModuleVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ModuleHashesAttribute;

/**
 * The modules that a module descriptor ties to its own by hashes of their jars, as {@code jar
 * --hash-modules} does. The JVM starts with no other jars of these modules.
 *
 * @param name of the module itself; null if the descriptor is broken
 * @param tied names of the modules of which it has hashes
 */
public record ModuleTies(@Nullable String name, Set<String> tied) {
  private static final String ATTRIBUTE = new ModuleHashesAttribute().type;

  /** The ties in the class file of a module descriptor; none in a broken one. */
  public static ModuleTies of(byte[] moduleInfo) {
    Reader visitor = new Reader();
    try {
      ClassVersions.reader(moduleInfo)
          .accept(visitor, new Attribute[] {new ModuleHashesAttribute()}, ClassReader.SKIP_CODE);
    } catch (RuntimeException e) {
      return new ModuleTies(null, Set.of());
    }
    return new ModuleTies(visitor.name, visitor.tied);
  }

  private static final class Reader extends ClassVisitor {
    private final Set<String> tied = new HashSet<>();
    private @Nullable String name;

    Reader() {
      super(Opcodes.ASM9);
    }

    @Override
    public @Nullable ModuleVisitor visitModule(String module, int access, String version) {
      name = module;
      return null;
    }

    @Override
    public void visitAttribute(Attribute attribute) {
      if (attribute instanceof ModuleHashesAttribute) {
        tied.addAll(((ModuleHashesAttribute) attribute).modules);
      }
    }
  }

  /** Visitor that takes the hashes out of a module descriptor. */
  static final class Dropped extends ClassVisitor {
    private final ChangeLog log;

    Dropped(ClassVisitor next, ChangeLog log) {
      super(Opcodes.ASM9, next);
      this.log = log;
    }

    @Override
    public void visitAttribute(Attribute attribute) {
      if (attribute.type.equals(ATTRIBUTE)) {
        log.add("without the hashes of other modules");
      } else {
        super.visitAttribute(attribute);
      }
    }
  }
}
