package io.karmi.uka.codegen;

import org.objectweb.asm.MethodVisitor;

/**
 * Instructions by which generated code loads and stores one field, for each strategy that generates
 * code, and for woven classes. Fields are counted in canonical order, primitives first.
 */
public abstract class FieldCode {
  private static final String OBJECT = "Ljava/lang/Object;";

  /** Descriptor of the local variable that holds the object. */
  protected abstract String objectDescriptor();

  /** Descriptor of a field's type. */
  protected abstract String descriptor(int index);

  /** Whether the class has the field; else it only has a place in the block. */
  protected abstract boolean isPresent(int index);

  /** Whether a field's type is the declaring class. */
  protected abstract boolean isOwnKind(int index);

  /** Whether a field refers to objects of one class only. */
  protected abstract boolean isExact(int index);

  /** Pushes that class and its identity hash. */
  protected abstract void pushExactClass(MethodVisitor code, int index);

  /** Pushes the value of a field of the object in local variable {@code object}. */
  protected abstract void load(MethodVisitor code, int index, int object);

  /**
   * Sets a field of the object in local variable {@code object}.
   *
   * @param value pushes the value, and nothing else
   */
  protected abstract void store(MethodVisitor code, int index, int object, Runnable value);

  final boolean namesTypes() {
    return !objectDescriptor().equals(OBJECT);
  }
}
