package io.karmi.stubgen.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;

/**
 * Methods as Java source must declare them, where a class file knows erased types only.
 *
 * <p>{@code interface Words extends Source<String>} inherits {@code put(Object)}, as the JVM sees
 * it, but a class that implements it in Java declares {@code put(String)}. Types that an interface
 * gives to the variables of its superinterfaces are followed; all others are erased.
 */
public final class SourceTypes {
  /** Interfaces that were added: several may extend the same one. */
  private final Set<String> added = new HashSet<>();

  /** By signature of the model's methods: the descriptor in Java. */
  private final Map<String, String> descriptors = new HashMap<>();

  /** By signature: an exception as the JVM sees it, to what it is in Java. */
  private final Map<String, Map<String, String>> exceptions = new HashMap<>();

  private SourceTypes() {}

  /** The methods of some interfaces, all that they inherit included. */
  public static SourceTypes of(List<ClassView> interfaces) {
    SourceTypes types = new SourceTypes();
    for (ClassView each : interfaces) {
      types.add(each, Map.of());
    }
    return types;
  }

  /** The descriptor in Java of a method with this signature. */
  public String descriptor(RemoteMethod method) {
    return descriptors.getOrDefault(method.signature(), method.descriptor());
  }

  /** Binary names of the exceptions that a method declares in Java. */
  public List<String> exceptions(RemoteMethod method) {
    Map<String, String> inJava = exceptions.getOrDefault(method.signature(), Map.of());
    List<String> names = new ArrayList<>();
    for (String each : method.exceptions()) {
      names.add(inJava.getOrDefault(each, each));
    }
    return names;
  }

  /**
   * Of methods that are one in Java, as a method and its bridge are, the one with the narrowest
   * result; all others as they are.
   */
  public List<RemoteMethod> declarable(RemoteModel model, ClassView home) {
    Map<String, RemoteMethod> chosen = new java.util.LinkedHashMap<>();
    for (RemoteMethod method : model.methods()) {
      String descriptor = descriptor(method);
      String key = method.name() + descriptor.substring(0, descriptor.indexOf(')') + 1);
      chosen.merge(key, method, (one, other) -> narrower(one, other, home));
    }
    return new ArrayList<>(chosen.values());
  }

  private RemoteMethod narrower(RemoteMethod one, RemoteMethod other, ClassView home) {
    Type first = Type.getReturnType(descriptor(one));
    Type second = Type.getReturnType(descriptor(other));
    if (first.equals(second)) {
      /* Not inherited with another type: declared so. */
      return descriptor(one).equals(one.descriptor()) ? one : other;
    }
    return isSubtype(second, first, home) ? other : one;
  }

  private static boolean isSubtype(Type type, Type of, ClassView home) {
    if (of.getDescriptor().equals("Ljava/lang/Object;")) {
      return true;
    }
    if (type.getSort() == Type.ARRAY && of.getSort() == Type.ARRAY) {
      return isSubtype(
          Type.getType(type.getDescriptor().substring(1)),
          Type.getType(of.getDescriptor().substring(1)),
          home);
    }
    return type.getSort() == Type.OBJECT
        && of.getSort() == Type.OBJECT
        && home.named(type.getClassName()).isSubtypeOf(of.getClassName());
  }

  /**
   * Adds an interface.
   *
   * @param given descriptors of the types given to its variables
   */
  private void add(ClassView type, Map<String, String> given) {
    if (!added.add(type.name())) {
      return; // what its methods are was noted
    }
    for (MethodView method : type.methods()) {
      if (!method.isStatic() && !method.isBridge()) {
        descriptors.putIfAbsent(method.signature(), inJava(method, given));
        exceptions.putIfAbsent(method.signature(), thrownInJava(method, given));
      }
    }
    List<ClassView> parents = type.interfaces();
    List<List<String>> arguments = Generics.ofInterfaces(type.generics());
    for (int i = 0; i < parents.size(); i++) {
      List<String> own = i < arguments.size() ? arguments.get(i) : List.of();
      add(parents.get(i), bind(parents.get(i), own, given));
    }
  }

  private static Map<String, String> bind(
      ClassView parent, List<String> arguments, Map<String, String> given) {
    List<String> variables = Generics.variables(parent.generics());
    Map<String, String> bound = new HashMap<>();
    for (int i = 0; i < variables.size() && i < arguments.size(); i++) {
      String descriptor = substitute(arguments.get(i), given);
      if (descriptor != null) {
        bound.put(variables.get(i), descriptor);
      }
    }
    return bound;
  }

  private static String inJava(MethodView method, Map<String, String> given) {
    List<String> generic = Generics.ofMethod(method.generics());
    Type[] parameters = Type.getArgumentTypes(method.descriptor());
    if (generic.size() != parameters.length + 1) {
      return method.descriptor();
    }
    StringBuilder descriptor = new StringBuilder("(");
    for (int i = 0; i < parameters.length; i++) {
      descriptor.append(orErased(substitute(generic.get(i), given), parameters[i]));
    }
    Type result = Type.getReturnType(method.descriptor());
    String substituted = substitute(generic.get(parameters.length), given);
    return descriptor.append(')').append(orErased(substituted, result)).toString();
  }

  private static Map<String, String> thrownInJava(MethodView method, Map<String, String> given) {
    List<String> generic = Generics.thrownBy(method.generics());
    Map<String, String> inJava = new HashMap<>();
    for (int i = 0; i < generic.size() && i < method.exceptions().size(); i++) {
      String descriptor = substitute(generic.get(i), given);
      if (descriptor != null) {
        inJava.put(method.exceptions().get(i).name(), Type.getType(descriptor).getClassName());
      }
    }
    return inJava;
  }

  private static String orErased(@Nullable String descriptor, Type erased) {
    return descriptor == null ? erased.getDescriptor() : descriptor;
  }

  /** The descriptor of a generic type; null for a variable without one. */
  private static @Nullable String substitute(String generic, Map<String, String> given) {
    int dimensions = generic.lastIndexOf('[', 0) + 1;
    while (dimensions < generic.length() && generic.charAt(dimensions) == '[') {
      dimensions++;
    }
    String element = generic.substring(dimensions);
    if (element.startsWith("T")) {
      String known = given.get(element.substring(1, element.length() - 1));
      return known == null ? null : generic.substring(0, dimensions) + known;
    }
    return generic.substring(0, dimensions) + Generics.erased(element);
  }
}
