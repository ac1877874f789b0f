package io.karmi.retrofit.explain;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The uses of one class, but those of streams, which the transformer knows. Not thread-safe.
 *
 * <p>A factory or filter that is the constant null is none. What is in a variable cannot be known
 * without running the program.
 */
final class ClassUses extends ClassVisitor {
  private static final String SERVER = "java/rmi/server/";
  private static final String UNICAST = SERVER + "UnicastRemoteObject";
  private static final String REGISTRY = "java/rmi/registry/LocateRegistry";
  private static final String FILTER = "java/io/ObjectInputFilter";
  private static final String EXPORT = "(Ljava/rmi/Remote;";

  /** Beginnings of the names that a class with a use mentions. */
  private static final String[] HINTS = {
    "java/rmi/", "sun/rmi/", FILTER, "javax/rmi/ssl/", "javax/management/remote/"
  };

  private static final Set<String> FACTORIES =
      Set.of(SERVER + "RMIClientSocketFactory", SERVER + "RMIServerSocketFactory");

  private static final int CLASS_CONSTANT = 7;
  private static final int NAME_AND_TYPE_CONSTANT = 12;

  private final Set<Use> uses = EnumSet.noneOf(Use.class);

  private ClassUses() {
    super(Opcodes.ASM9);
  }

  /**
   * The uses of a class.
   *
   * @throws IllegalArgumentException if it is newer than ASM knows
   * @throws RuntimeException if it is no class file
   */
  static Set<Use> of(ClassReader reader) {
    ClassUses uses = new ClassUses();
    if (isHinted(reader)) {
      reader.accept(uses, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    }
    return uses.uses;
  }

  private static boolean isHinted(ClassReader reader) {
    char[] buffer = new char[reader.getMaxStringLength()];
    for (int i = 1; i < reader.getItemCount(); i++) {
      int item = reader.getItem(i);
      int tag = item == 0 ? 0 : reader.readByte(item - 1);
      if (tag == CLASS_CONSTANT) {
        String name = reader.readUTF8(item, buffer);
        if (Arrays.stream(HINTS).anyMatch(name::startsWith)) {
          return true;
        }
      } else if (tag == NAME_AND_TYPE_CONSTANT
          && reader.readUTF8(item + 2, buffer).contains(FILTER)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void visit(
      int version,
      int access,
      String name,
      @Nullable String signature,
      @Nullable String superName,
      String[] interfaces) {
    for (String each : interfaces) {
      if (FACTORIES.contains(each)) {
        uses.add(Use.SOCKET_FACTORIES);
      } else if (each.equals(FILTER)) {
        uses.add(Use.FILTERS);
      }
    }
    if (superName != null && isFactory(superName)) {
      uses.add(Use.SOCKET_FACTORIES);
    }
  }

  private static boolean isFactory(String name) {
    return name.startsWith("javax/rmi/ssl/SslRMI") || name.equals(SERVER + "RMISocketFactory");
  }

  @Override
  public MethodVisitor visitMethod(
      int access,
      String name,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    return new Method();
  }

  private final class Method extends MethodVisitor {
    /** Constant nulls that were pushed last, without another instruction behind them. */
    private int nulls;

    Method() {
      super(Opcodes.ASM9);
    }

    @Override
    public void visitInsn(int opcode) {
      nulls = opcode == Opcodes.ACONST_NULL ? nulls + 1 : 0;
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      /* A cast of null is what chooses among overloaded methods. */
      if (opcode != Opcodes.CHECKCAST) {
        nulls = 0;
      }
      mentions(type, opcode == Opcodes.NEW);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      calls(owner, name, descriptor, nulls);
      nulls = 0;
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle bootstrap, Object... arguments) {
      nulls = 0;
      for (Object each : arguments) {
        if (each instanceof Handle handle) {
          calls(handle.getOwner(), handle.getName(), handle.getDesc(), 0);
        }
      }
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
      nulls = 0;
      mentions(owner, false);
    }

    @Override
    public void visitVarInsn(int opcode, int index) {
      nulls = 0;
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
      nulls = 0;
    }

    @Override
    public void visitLdcInsn(Object value) {
      nulls = 0;
      if (value instanceof Type type && type.getSort() == Type.OBJECT) {
        mentions(type.getInternalName(), false);
      }
    }
  }

  private void mentions(String type, boolean created) {
    if (type.startsWith("sun/rmi/")) {
      uses.add(Use.INTERNALS);
    } else if (created && isFactory(type)) {
      uses.add(Use.SOCKET_FACTORIES);
    } else if (created && type.equals("java/rmi/MarshalledObject")) {
      uses.add(Use.MARSHALLED_OBJECTS);
    }
  }

  /**
   * A call.
   *
   * @param nulls how many arguments at the end are the constant null
   */
  private void calls(String owner, String name, String descriptor, int nulls) {
    mentions(owner, false);
    boolean constructor = name.equals("<init>");
    if (name.equals("exportObject") && descriptor.startsWith(EXPORT)
        || constructor && owner.equals(UNICAST)) {
      exports(descriptor, nulls);
    } else if (owner.equals(REGISTRY) || owner.equals("java/rmi/Naming")) {
      boolean sockets = descriptor.contains("SocketFactory;") && nulls < factories(descriptor);
      uses.add(sockets ? Use.SOCKET_REGISTRIES : Use.REGISTRIES);
    } else if (owner.equals(SERVER + "RMISocketFactory") && name.equals("setSocketFactory")) {
      uses.add(Use.DEFAULT_SOCKETS);
    } else if (owner.equals(SERVER + "RMIClassLoader")) {
      uses.add(Use.CODEBASES);
    } else if (owner.startsWith("javax/management/remote/")) {
      connectsByJmx(owner, name);
    } else if (owner.equals("java/rmi/MarshalledObject")) {
      uses.add(Use.MARSHALLED_OBJECTS);
    } else if (constructor && owner.equals(SERVER + "RemoteObjectInvocationHandler")) {
      uses.add(Use.INTERNALS);
    } else if (name.endsWith("ObjectInputFilter") && descriptor.contains(FILTER)
        || owner.startsWith(FILTER)) {
      uses.add(Use.FILTERS);
    }
  }

  private void exports(String descriptor, int nulls) {
    boolean filter = descriptor.contains(FILTER);
    boolean sockets = descriptor.contains("SocketFactory;");
    int own = factories(descriptor) + (filter ? 1 : 0);
    if (nulls >= own) {
      uses.add(Use.EXPORTS);
    } else {
      /* A null filter behind factories leaves the factories. */
      boolean noFilter = !filter || nulls > 0;
      uses.add(sockets && noFilter ? Use.SOCKET_EXPORTS : Use.FILTER_EXPORTS);
    }
  }

  private static int factories(String descriptor) {
    int count = 0;
    for (Type each : Type.getArgumentTypes(descriptor)) {
      count += each.getDescriptor().endsWith("SocketFactory;") ? 1 : 0;
    }
    return count;
  }

  private void connectsByJmx(String owner, String name) {
    if (owner.endsWith("Factory") && (name.startsWith("newJMX") || name.equals("connect"))
        || owner.startsWith("javax/management/remote/rmi/") && name.equals("<init>")) {
      uses.add(Use.JMX);
    }
  }
}
