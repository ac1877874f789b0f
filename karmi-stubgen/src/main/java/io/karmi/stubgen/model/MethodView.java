package io.karmi.stubgen.model;

import java.util.List;

/**
 * One public method as declared.
 *
 * @param declarer the class or interface whose body it stands in
 * @param descriptor parameter and result types as in a class file: {@code (ILjava/lang/String;)V}
 * @param exceptions the declared exceptions, in the order of the declaration
 */
public record MethodView(
    ClassView declarer,
    String name,
    String descriptor,
    boolean isStatic,
    List<ClassView> exceptions) {

  /** Name and descriptor: what tells methods apart, bridges included. */
  public String signature() {
    return name + descriptor;
  }
}
