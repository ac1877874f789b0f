package io.karmi.karmic;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.ProtectionDomain;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * An agent that writes down what KaRMI's classes find by reflection: a line for each class, method,
 * constructor, field, proxy and serializable class, once in each JVM.
 *
 * <p>A call of {@code Class}, {@code Proxy}, {@code Array} or {@code ObjectStreamClass} is followed
 * by one that looks at its result. A look-up by {@code MethodHandles.Lookup} goes through a method
 * here. What is looked for in vain is not written down.
 */
public final class ReflectionTracer {
  private static final String SELF = ReflectionTracer.class.getName().replace('.', '/');
  private static final String LOOKUP = "java/lang/invoke/MethodHandles$Lookup";
  private static final Set<String> OF_CLASS =
      Set.of(
          "forName",
          "getMethod",
          "getMethods",
          "getDeclaredMethod",
          "getDeclaredMethods",
          "getConstructor",
          "getConstructors",
          "getDeclaredConstructor",
          "getDeclaredConstructors",
          "getField",
          "getFields",
          "getDeclaredField",
          "getDeclaredFields");
  private static final Set<String> OF_LOOKUP =
      Set.of("findVirtual", "findStatic", "findConstructor", "findVarHandle");

  private static final Set<String> FOUND = ConcurrentHashMap.newKeySet();
  private static volatile Path log;

  private ReflectionTracer() {}

  /** Called by the JVM; the argument is the beginning of the file's name, before the process id. */
  public static void premain(String file, Instrumentation instrumentation) {
    log = Path.of(file + ProcessHandle.current().pid());
    instrumentation.addTransformer(new Rewriting());
  }

  /** Called behind each call of a method that finds something. */
  public static void found(Object result) {
    if (result instanceof Object[] several) {
      for (Object each : several) {
        found(each);
      }
    } else if (result instanceof Class<?> type && !type.isPrimitive()) {
      write("type", type, "");
    } else if (result instanceof Method method) {
      write(
          "method",
          method.getDeclaringClass(),
          named(method.getName(), method.getParameterTypes()));
    } else if (result instanceof Constructor<?> constructor) {
      Class<?> type = constructor.getDeclaringClass();
      write("method", type, named("<init>", constructor.getParameterTypes()));
    } else if (result instanceof Field field) {
      write("field", field.getDeclaringClass(), field.getName());
    }
  }

  /** Called behind {@code ObjectStreamClass.lookup}. */
  public static void serialized(java.io.ObjectStreamClass found) {
    if (found != null) {
      write("serializable", found.forClass(), "");
    }
  }

  /** Called behind {@code Proxy.newProxyInstance}. */
  public static void proxy(Object proxy) {
    String interfaces =
        Stream.of(proxy.getClass().getInterfaces())
            .map(Class::getName)
            .collect(Collectors.joining(","));
    line("proxy " + interfaces);
  }

  /** Called behind {@code Array.newInstance}. */
  public static void array(Object made) {
    write("type", made.getClass(), "");
  }

  /** In place of the look-up's own method. */
  public static MethodHandle findVirtual(
      MethodHandles.Lookup lookup, Class<?> type, String name, MethodType of)
      throws ReflectiveOperationException {
    MethodHandle handle = lookup.findVirtual(type, name, of);
    write("method", type, named(name, of.parameterArray()));
    return handle;
  }

  /** In place of the look-up's own method. */
  public static MethodHandle findStatic(
      MethodHandles.Lookup lookup, Class<?> type, String name, MethodType of)
      throws ReflectiveOperationException {
    MethodHandle handle = lookup.findStatic(type, name, of);
    write("method", type, named(name, of.parameterArray()));
    return handle;
  }

  /** In place of the look-up's own method. */
  public static MethodHandle findConstructor(
      MethodHandles.Lookup lookup, Class<?> type, MethodType of)
      throws ReflectiveOperationException {
    MethodHandle handle = lookup.findConstructor(type, of);
    write("method", type, named("<init>", of.parameterArray()));
    return handle;
  }

  /** In place of the look-up's own method. */
  public static VarHandle findVarHandle(
      MethodHandles.Lookup lookup, Class<?> type, String name, Class<?> of)
      throws ReflectiveOperationException {
    VarHandle handle = lookup.findVarHandle(type, name, of);
    write("field", type, name);
    return handle;
  }

  private static String named(String name, Class<?>... parameters) {
    return Stream.of(parameters)
        .map(Class::getTypeName)
        .collect(Collectors.joining(",", name + "(", ")"));
  }

  private static void write(String kind, Class<?> type, String member) {
    line((kind + " " + type.getTypeName() + " " + member).strip());
  }

  private static void line(String line) {
    if (FOUND.add(line)) {
      try {
        Files.writeString(log, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Rewrites KaRMI's classes as they are loaded. */
  private static final class Rewriting implements ClassFileTransformer {
    @Override
    public byte[] transform(
        ClassLoader loader,
        String name,
        Class<?> redefined,
        ProtectionDomain domain,
        byte[] classFile) {
      if (name == null || !name.startsWith("io/karmi/") || name.startsWith(SELF)) {
        return null;
      }
      ClassReader reader = new ClassReader(classFile);
      ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
      reader.accept(new Calls(writer), 0);
      return writer.toByteArray();
    }
  }

  /** Visits the calls of one class. */
  private static final class Calls extends ClassVisitor {
    Calls(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      return new MethodVisitor(Opcodes.ASM9, next) {
        @Override
        public void visitMethodInsn(
            int opcode, String owner, String called, String type, boolean ofInterface) {
          if (owner.equals(LOOKUP) && OF_LOOKUP.contains(called)) {
            String all = "(L" + LOOKUP + ";" + type.substring(1);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, SELF, called, all, false);
            return;
          }
          super.visitMethodInsn(opcode, owner, called, type, ofInterface);
          if (owner.equals("java/lang/Class") && OF_CLASS.contains(called)) {
            behind("found", "(Ljava/lang/Object;)V");
          } else if (owner.equals("java/lang/reflect/Proxy") && called.equals("newProxyInstance")) {
            behind("proxy", "(Ljava/lang/Object;)V");
          } else if (owner.equals("java/lang/reflect/Array") && called.equals("newInstance")) {
            behind("array", "(Ljava/lang/Object;)V");
          } else if (owner.equals("java/io/ObjectStreamClass") && called.startsWith("lookup")) {
            behind("serialized", "(Ljava/io/ObjectStreamClass;)V");
          }
        }

        private void behind(String looking, String type) {
          super.visitInsn(Opcodes.DUP);
          super.visitMethodInsn(Opcodes.INVOKESTATIC, SELF, looking, type, false);
        }
      };
    }
  }
}
