package io.karmi.retrofit.agent;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * End of a JVM whose agent refuses to start, before a class of the program is loaded.
 *
 * <p>Some JVMs (JDK-8387045: 26.0.2, 27) that are told to end while an agent is called wait a
 * minute for that call. So the command {@code java} ends it: its class that looks for the program's
 * main class is replaced by one that ends the JVM.
 *
 * <p>Public, as an {@link Agent} of another class loader calls it.
 */
public final class RefusedStart implements ClassFileTransformer {
  private static final String LAUNCHER = "sun/launcher/LauncherHelper";
  private static final int EXIT_CODE = 1;

  private RefusedStart() {}

  /** Ends the JVM now, or when the caller has returned to it. */
  public static void end(Instrumentation instrumentation) {
    boolean byCommand = System.getProperty("sun.java.launcher") != null;
    if (!byCommand || isLoaded(instrumentation)) {
      System.exit(EXIT_CODE);
    }
    instrumentation.addTransformer(new RefusedStart());
  }

  private static boolean isLoaded(Instrumentation instrumentation) {
    for (Class<?> loaded : instrumentation.getInitiatedClasses(null)) {
      if (loaded.getName().equals(LAUNCHER.replace('/', '.'))) {
        return true;
      }
    }
    return false;
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    return LAUNCHER.equals(name) ? ending() : null;
  }

  /** A class that ends the JVM when it is initialized, and has no method that could be called. */
  private static byte[] ending() {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V17, Opcodes.ACC_SUPER, LAUNCHER, null, "java/lang/Object", null);
    MethodVisitor code = writer.visitMethod(Opcodes.ACC_STATIC, "<clinit>", "()V", null, null);
    code.visitCode();
    code.visitInsn(Opcodes.ICONST_0 + EXIT_CODE);
    code.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/System", "exit", "(I)V", false);
    code.visitInsn(Opcodes.RETURN);
    code.visitMaxs(1, 0);
    code.visitEnd();
    writer.visitEnd();
    return writer.toByteArray();
  }
}
