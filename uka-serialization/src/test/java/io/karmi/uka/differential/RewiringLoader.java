package io.karmi.uka.differential;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Loads a program's classes with their object streams replaced by those of a {@link World}.
 *
 * <p>A class is the program's if its name starts with the given prefix, or if its bytes were handed
 * in. Only creation and inheritance are rewired: variables, casts and signatures keep the {@code
 * java.io} types, which is what a drop-in has to bear.
 */
public final class RewiringLoader extends ClassLoader {

  private static final int API = Opcodes.ASM9;

  private final World world;
  private final String programPrefix;
  private final Map<String, byte[]> classFiles;

  static {
    registerAsParallelCapable();
  }

  RewiringLoader(World world, ClassLoader parent, String programPrefix) {
    this(world, parent, programPrefix, Map.of());
  }

  RewiringLoader(
      World world, ClassLoader parent, String programPrefix, Map<String, byte[]> classFiles) {
    super(parent);
    this.world = world;
    this.programPrefix = programPrefix;
    this.classFiles = classFiles;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null && isProgram(name)) {
        loaded = findClass(name);
      }
      return loaded != null ? loaded : super.loadClass(name, resolve);
    }
  }

  private boolean isProgram(String name) {
    return classFiles.containsKey(name)
        || (!programPrefix.isEmpty() && name.startsWith(programPrefix));
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] classFile = classFiles.get(name);
    if (classFile == null) {
      classFile = fromClassPath(name);
    }
    byte[] rewired = rewire(classFile, world.replacements());
    if (world.woven()) {
      rewired = Weaver.weave(rewired, this::classFileOrNull);
    }
    return defineClass(name, rewired, 0, rewired.length);
  }

  private byte[] classFileOrNull(String internalName) {
    String name = internalName.replace('/', '.');
    try {
      byte[] own = classFiles.get(name);
      return own != null ? own : fromClassPath(name);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  private byte[] fromClassPath(String name) throws ClassNotFoundException {
    try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private static byte[] rewire(byte[] classFile, Map<String, String> replacements) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(0);
    reader.accept(new Rewirer(writer, replacements), 0);
    return writer.toByteArray();
  }

  private static final class Rewirer extends ClassVisitor {

    private final Map<String, String> replacements;

    Rewirer(ClassVisitor next, Map<String, String> replacements) {
      super(API, next);
      this.replacements = replacements;
    }

    private String replaced(String type) {
      return replacements.getOrDefault(type, type);
    }

    @Override
    public void visit(
        int version, int flags, String name, String signature, String parent, String[] faces) {
      super.visit(version, flags, name, signature, replaced(parent), faces);
    }

    @Override
    public MethodVisitor visitMethod(
        int flags, String name, String type, String signature, String[] exceptions) {
      return new MethodVisitor(API, super.visitMethod(flags, name, type, signature, exceptions)) {
        @Override
        public void visitTypeInsn(int opcode, String operand) {
          super.visitTypeInsn(opcode, opcode == Opcodes.NEW ? replaced(operand) : operand);
        }

        @Override
        public void visitMethodInsn(
            int opcode, String owner, String method, String descriptor, boolean onInterface) {
          boolean creation = opcode == Opcodes.INVOKESPECIAL;
          super.visitMethodInsn(
              opcode, creation ? replaced(owner) : owner, method, descriptor, onInterface);
        }

        @Override
        public void visitInvokeDynamicInsn(
            String called, String descriptor, Handle bootstrap, Object... arguments) {
          for (int i = 0; i < arguments.length; i++) {
            if (arguments[i] instanceof Handle handle
                && handle.getTag() == Opcodes.H_NEWINVOKESPECIAL) {
              arguments[i] =
                  new Handle(
                      handle.getTag(),
                      replaced(handle.getOwner()),
                      handle.getName(),
                      handle.getDesc(),
                      handle.isInterface());
            }
          }
          super.visitInvokeDynamicInsn(called, descriptor, bootstrap, arguments);
        }
      };
    }
  }
}
