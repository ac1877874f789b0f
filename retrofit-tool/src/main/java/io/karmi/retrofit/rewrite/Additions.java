package io.karmi.retrofit.rewrite;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The methods that a replacement has and the class it replaces has not: a subclass must not
 * override them by accident.
 */
final class Additions {
  private Additions() {}

  /**
   * A method of the class that would override one which only the replacement has.
   *
   * @return its name, or null if there is none
   */
  static String overriddenBy(ClassReader subclass, String replaced, String replacement) {
    Set<String> added = methods(replacement);
    added.removeAll(methods(replaced));
    for (String method : methods(subclass)) {
      if (added.contains(method)) {
        return method.substring(0, method.indexOf('('));
      }
    }
    return null;
  }

  private static Set<String> methods(String name) {
    String resource = name.concat(".class");
    try (InputStream in = ClassLoader.getSystemResourceAsStream(resource)) {
      return in == null ? new HashSet<>() : methods(new ClassReader(in));
    } catch (IOException e) {
      throw new IllegalStateException("cannot read ".concat(resource), e);
    }
  }

  private static Set<String> methods(ClassReader reader) {
    Set<String> methods = new HashSet<>();
    reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            if (name.charAt(0) != '<' && (access & Opcodes.ACC_PRIVATE) == 0) {
              methods.add(name.concat(descriptor));
            }
            return null;
          }
        },
        ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return methods;
  }
}
