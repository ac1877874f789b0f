package io.karmi.stubgen.model;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;

/**
 * One public method as declared.
 *
 * @param declarer the class or interface whose body it stands in
 * @param descriptor parameter and result types as in a class file: {@code (ILjava/lang/String;)V}
 * @param isBridge whether a compiler has added it beside another one
 * @param generics the Signature attribute; null if there is none
 * @param exceptions the declared exceptions, in the order of the declaration
 */
public record MethodView(
    ClassView declarer,
    String name,
    String descriptor,
    boolean isStatic,
    boolean isBridge,
    @Nullable String generics,
    List<ClassView> exceptions) {

  /** Name and descriptor: what tells methods apart, bridges included. */
  public String signature() {
    return name + descriptor;
  }

  /** As a programmer would call it: {@code set(long, java.lang.String)}. */
  public String declaration() {
    List<String> types = new ArrayList<>();
    for (Type each : Type.getArgumentTypes(descriptor)) {
      types.add(each.getClassName());
    }
    return name + "(" + String.join(", ", types) + ")";
  }
}
