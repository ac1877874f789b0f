package io.karmi.retrofit.boot;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Makes a patch look as if another JDK had been there when it was made. */
final class OtherJdk {
  private OtherJdk() {}

  static Path patch(Path patch, Path target, String jdk, String other) throws IOException {
    Path unfinished = Files.createTempFile("other", ".jar");
    try (JarFile jar = new JarFile(patch.toFile());
        JarOutputStream out = new JarOutputStream(Files.newOutputStream(unfinished))) {
      for (JarEntry entry : Collections.list(jar.entries())) {
        out.putNextEntry(new JarEntry(entry.getName()));
        try (InputStream in = jar.getInputStream(entry)) {
          out.write(replace(in.readAllBytes(), jdk, other));
        }
        out.closeEntry();
      }
    }
    return Files.move(unfinished, target, StandardCopyOption.REPLACE_EXISTING);
  }

  private static byte[] replace(byte[] classFile, String constant, String with) {
    ClassWriter writer = new ClassWriter(0);
    ClassVisitor replacing =
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            return new MethodVisitor(
                Opcodes.ASM9, super.visitMethod(access, name, descriptor, signature, exceptions)) {
              @Override
              public void visitLdcInsn(Object value) {
                super.visitLdcInsn(value.equals(constant) ? with : value);
              }
            };
          }
        };
    new ClassReader(classFile).accept(replacing, 0);
    return writer.toByteArray();
  }
}
