package io.karmi.difference;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.MethodRemapper;
import org.objectweb.asm.commons.SimpleRemapper;

/**
 * Loads the programs anew, with KaRMI's twins in place of the classes of java.rmi, as a rewritten
 * jar has them; or, for comparison, as they are.
 */
final class RewiredLoader extends ClassLoader {
  private static final String PROGRAMS = "io.karmi.difference.programs.";

  /** In the names of classes that programs give loaders of their own. */
  private static final String HIDDEN = "$Hidden";

  private static final Map<String, String> TWINS =
      Map.of(
          "java/rmi/server/UnicastRemoteObject", "io/karmi/rmi/UnicastRemoteObject",
          "java/rmi/registry/LocateRegistry", "io/karmi/rmi/LocateRegistry",
          "java/rmi/Naming", "io/karmi/rmi/Naming");

  private static final Map<String, String> STATICS =
      Map.of("toStub", "io/karmi/rmi/RemoteObjects", "getClientHost", "io/karmi/rmi/RemoteServers");

  private final boolean rewire;
  private final boolean old;

  /**
   * A loader of one end.
   *
   * @param rewire false for the classes as they are
   * @param old leaves out methods whose names end in {@code Later}: the end is of an older version
   */
  RewiredLoader(boolean rewire, boolean old) {
    super(RewiredLoader.class.getClassLoader());
    this.rewire = rewire;
    this.old = old;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(PROGRAMS) || name.equals(PROGRAMS + "Program")) {
      return super.loadClass(name, resolve);
    }
    if (name.contains(HIDDEN)) {
      throw new ClassNotFoundException(name + " is for the loaders of a program");
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      return known != null ? known : define(name);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = changed(in.readAllBytes());
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private byte[] changed(byte[] original) {
    ClassWriter writer = new ClassWriter(0);
    ClassVisitor rest = old ? new OldVersion(writer) : writer;
    new ClassReader(original).accept(rewire ? rewiring(rest) : rest, 0);
    return writer.toByteArray();
  }

  private static ClassVisitor rewiring(ClassVisitor next) {
    return new ClassRemapper(next, new SimpleRemapper(Opcodes.ASM9, TWINS)) {
      @Override
      protected MethodVisitor createMethodRemapper(MethodVisitor rest) {
        return new StaticCalls(rest, remapper);
      }
    };
  }

  /** Knows nothing of what was added later. */
  private static final class OldVersion extends ClassVisitor {
    OldVersion(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      return name.endsWith("Later")
          ? null
          : super.visitMethod(access, name, descriptor, signature, exceptions);
    }
  }

  /** Calls of the statics of classes that keep their name. */
  private static final class StaticCalls extends MethodRemapper {
    StaticCalls(MethodVisitor next, org.objectweb.asm.commons.Remapper remapper) {
      super(next, remapper);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      super.visitMethodInsn(
          opcode, newOwner(owner, name, descriptor), name, descriptor, isInterface);
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, org.objectweb.asm.Handle bootstrap, Object... arguments) {
      Object[] changed = arguments.clone();
      for (int i = 0; i < changed.length; i++) {
        if (changed[i] instanceof org.objectweb.asm.Handle handle) {
          changed[i] =
              new org.objectweb.asm.Handle(
                  handle.getTag(),
                  newOwner(handle.getOwner(), handle.getName(), handle.getDesc()),
                  handle.getName(),
                  handle.getDesc(),
                  handle.isInterface());
        }
      }
      super.visitInvokeDynamicInsn(name, descriptor, bootstrap, changed);
    }

    private static String newOwner(String owner, String name, String descriptor) {
      boolean ofRmi =
          owner.equals("java/rmi/server/RemoteObject")
              || owner.equals("java/rmi/server/RemoteServer")
              || owner.equals("java/rmi/server/UnicastRemoteObject");
      boolean isStatic =
          descriptor.equals("(Ljava/rmi/Remote;)Ljava/rmi/Remote;")
              || descriptor.equals("()Ljava/lang/String;");
      String twin = STATICS.get(name);
      return ofRmi && isStatic && twin != null ? twin : owner;
    }
  }
}
