package io.karmi.uka.codegen;

import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.field.FieldLayout;
import io.karmi.uka.field.StreamSetting;
import java.lang.invoke.MethodHandles;

/**
 * Generator of the hidden class of a {@link FieldAccess}; a {@link FieldCode} reaches the fields.
 */
public final class AccessGenerator {
  private AccessGenerator() {}

  /** The class file of the hidden class that {@link #generate} defines. */
  public static byte[] bytecode(FieldLayout layout, HiddenFieldCode fields) {
    AccessCode access = new AccessCode(layout, fields);
    access.begin();
    if (layout.whole) {
      new TransferGenerator(access, layout, fields).generate();
    }
    fields.constants.finish(access.writer);
    access.writer.visitEnd();
    return access.writer.toByteArray();
  }

  /** Access to the fields of a layout by generated code. */
  public static FieldAccess generate(FieldLayout layout, HiddenFieldCode fields)
      throws ReflectiveOperationException {
    byte[] bytecode = bytecode(layout, fields);
    FieldAccess access =
        (FieldAccess)
            fields.constants.define(
                fields.host, bytecode, MethodHandles.Lookup.ClassOption.NESTMATE);
    return access instanceof StreamSetting setting ? setting.open(layout) : access;
  }
}
