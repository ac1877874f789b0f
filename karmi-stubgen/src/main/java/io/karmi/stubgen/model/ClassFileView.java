package io.karmi.stubgen.model;

import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The view of a class that is not loaded: read from its class file, at the first question beyond
 * its name.
 *
 * <p>Not thread-safe.
 */
final class ClassFileView implements ClassView {
  private final String name;
  private final ClassPath files;
  private @Nullable Content content;

  ClassFileView(String name, ClassPath files) {
    this.name = name;
    this.files = files;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isInterface() {
    return content().isInterface;
  }

  @Override
  public boolean isFinal() {
    return (content().access & Opcodes.ACC_FINAL) != 0;
  }

  @Override
  public boolean isSealed() {
    return content().isSealed;
  }

  @Override
  public boolean isAbstract() {
    return (content().access & Opcodes.ACC_ABSTRACT) != 0;
  }

  @Override
  public List<String> fieldTypes() {
    return content().fieldTypes;
  }

  @Override
  public @Nullable String generics() {
    return content().generics;
  }

  @Override
  public ClassView named(String other) {
    return files.view(other);
  }

  @Override
  public String place() {
    return files.place(name);
  }

  @Override
  public boolean isPublic() {
    return content().isPublic;
  }

  @Override
  public @Nullable ClassView superclass() {
    return content().superclass;
  }

  @Override
  public List<ClassView> interfaces() {
    return content().interfaces;
  }

  @Override
  public List<MethodView> methods() {
    return content().methods;
  }

  @Override
  public String toString() {
    return name;
  }

  private Content content() {
    Content read = content;
    if (read == null) {
      read = new Content();
      byte[] bytes = files.read(name);
      try {
        new ClassReader(bytes)
            .accept(read, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
      } catch (RuntimeException | OutOfMemoryError | StackOverflowError e) {
        /* Its lengths may lie. */
        throw new ClassFileException("not a class file that can be read: " + name + version(bytes));
      }
      content = read;
    }
    return read;
  }

  /** For messages: it may be of a later Java than the library that reads it knows. */
  private static String version(byte[] bytes) {
    if (bytes.length < 2 * Integer.BYTES || ByteBuffer.wrap(bytes).getInt() != 0xCAFEBABE) {
      return "";
    }
    int major = ByteBuffer.wrap(bytes).getShort(6);
    return " (its version is " + major + ", of Java " + (major - 44) + ")";
  }

  /** Contents that one pass over the class file collects. */
  private final class Content extends ClassVisitor {
    int access;
    @Nullable String generics;
    boolean isInterface;
    boolean isPublic;
    boolean isSealed;
    @Nullable ClassView superclass;
    final List<ClassView> interfaces = new ArrayList<>();
    final List<MethodView> methods = new ArrayList<>();
    final List<String> fieldTypes = new ArrayList<>();

    Content() {
      super(Opcodes.ASM9);
    }

    @Override
    public void visit(
        int version,
        int access,
        String self,
        @Nullable String generics,
        @Nullable String above,
        String[] parents) {
      this.access = access;
      this.generics = generics;
      isInterface = (access & Opcodes.ACC_INTERFACE) != 0;
      isPublic = (access & Opcodes.ACC_PUBLIC) != 0;
      superclass = above == null || isInterface ? null : viewOf(above);
      interfaces.addAll(viewsOf(parents));
    }

    @Override
    public void visitPermittedSubclass(String subclass) {
      isSealed = true;
    }

    @Override
    public @Nullable FieldVisitor visitField(
        int access,
        String field,
        String descriptor,
        @Nullable String generics,
        @Nullable Object value) {
      if ((access & (Opcodes.ACC_STATIC | Opcodes.ACC_TRANSIENT)) == 0) {
        ClassDesc.ofDescriptor(descriptor);
        fieldTypes.add(descriptor);
      }
      return null;
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
        int access,
        String method,
        String descriptor,
        @Nullable String generics,
        String @Nullable [] exceptions) {
      MethodTypeDesc.ofDescriptor(descriptor); // refuses what is no descriptor
      boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
      if ((access & Opcodes.ACC_PUBLIC) != 0 && !method.startsWith("<")) {
        methods.add(
            new MethodView(
                ClassFileView.this,
                method,
                descriptor,
                isStatic,
                (access & Opcodes.ACC_BRIDGE) != 0,
                generics,
                viewsOf(exceptions)));
      }
      return null;
    }

    private List<ClassView> viewsOf(String @Nullable [] internalNames) {
      List<ClassView> views = new ArrayList<>();
      if (internalNames != null) {
        for (String each : internalNames) {
          views.add(viewOf(each));
        }
      }
      return views;
    }

    private ClassView viewOf(String internalName) {
      return files.view(internalName.replace('/', '.'));
    }
  }
}
