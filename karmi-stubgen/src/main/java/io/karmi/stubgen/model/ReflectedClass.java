package io.karmi.stubgen.model;

import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The view of a class that is loaded in this JVM. */
public final class ReflectedClass implements ClassView {
  private final Class<?> type;

  public ReflectedClass(Class<?> type) {
    this.type = type;
  }

  /** The views of several classes, in their order. */
  public static List<ClassView> all(Class<?>... types) {
    List<ClassView> views = new ArrayList<>(types.length);
    for (Class<?> each : types) {
      views.add(new ReflectedClass(each));
    }
    return views;
  }

  @Override
  public String name() {
    return type.getName();
  }

  @Override
  public boolean isInterface() {
    return type.isInterface();
  }

  @Override
  public boolean isFinal() {
    return Modifier.isFinal(type.getModifiers());
  }

  @Override
  public boolean isSealed() {
    return type.isSealed();
  }

  @Override
  public boolean isAbstract() {
    return Modifier.isAbstract(type.getModifiers());
  }

  @Override
  public List<String> fieldTypes() {
    List<String> types = new ArrayList<>();
    for (Field field : type.getDeclaredFields()) {
      if ((field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0) {
        types.add(field.getType().descriptorString());
      }
    }
    return types;
  }

  /** Not asked for where classes are loaded. */
  @Override
  public @Nullable String generics() {
    return null;
  }

  @Override
  public ClassView named(String name) {
    try {
      return new ReflectedClass(Class.forName(name, false, type.getClassLoader()));
    } catch (ClassNotFoundException e) {
      throw new ClassFileException("class not found: " + name);
    }
  }

  @Override
  public String place() {
    return name();
  }

  @Override
  public boolean isPublic() {
    return (type.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0;
  }

  @Override
  public @Nullable ClassView superclass() {
    Class<?> superclass = type.getSuperclass();
    return superclass == null ? null : new ReflectedClass(superclass);
  }

  @Override
  public List<ClassView> interfaces() {
    return all(type.getInterfaces());
  }

  @Override
  public List<MethodView> methods() {
    List<MethodView> methods = new ArrayList<>();
    for (Method method : type.getDeclaredMethods()) {
      if (Modifier.isPublic(method.getModifiers())) {
        methods.add(view(method));
      }
    }
    return methods;
  }

  private MethodView view(Method method) {
    String descriptor =
        MethodType.methodType(method.getReturnType(), method.getParameterTypes())
            .toMethodDescriptorString();
    return new MethodView(
        this,
        method.getName(),
        descriptor,
        Modifier.isStatic(method.getModifiers()),
        method.isBridge(),
        null,
        all(method.getExceptionTypes()));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ReflectedClass && ((ReflectedClass) other).type == type;
  }

  @Override
  public int hashCode() {
    return type.hashCode();
  }

  @Override
  public String toString() {
    return type.getName();
  }
}
