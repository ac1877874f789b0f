package io.karmi.retrofit.rewrite;

import io.karmi.retrofit.rewrite.WeavingPlan.Field;
import io.karmi.uka.codegen.FieldCode;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Field access of a woven class to its own fields, by plain instructions. */
final class OwnFieldCode extends FieldCode {
  private final Type self;
  private final List<Field> fields;

  OwnFieldCode(Type self, WeavingPlan plan) {
    this.self = self;
    fields = new ArrayList<>(plan.primitives);
    fields.addAll(plan.references);
  }

  @Override
  protected String objectDescriptor() {
    return self.getDescriptor();
  }

  @Override
  protected String descriptor(int index) {
    return fields.get(index).descriptor();
  }

  @Override
  protected boolean isPresent(int index) {
    return true;
  }

  @Override
  protected boolean isOwnKind(int index) {
    return descriptor(index).equals(self.getDescriptor());
  }

  @Override
  protected boolean isExact(int index) {
    return fields.get(index).isExact();
  }

  @Override
  protected void pushExactClass(MethodVisitor code, int index) {
    code.visitLdcInsn(Type.getType(descriptor(index)));
    code.visitInsn(Opcodes.DUP);
    code.visitMethodInsn(
        Opcodes.INVOKESTATIC,
        "java/lang/System",
        "identityHashCode",
        "(Ljava/lang/Object;)I",
        false);
  }

  @Override
  protected void load(MethodVisitor code, int index, int object) {
    code.visitVarInsn(Opcodes.ALOAD, object);
    access(code, Opcodes.GETFIELD, index);
  }

  @Override
  protected void store(MethodVisitor code, int index, int object, Runnable value) {
    code.visitVarInsn(Opcodes.ALOAD, object);
    value.run();
    access(code, Opcodes.PUTFIELD, index);
  }

  private void access(MethodVisitor code, int opcode, int index) {
    String owner = self.getInternalName();
    code.visitFieldInsn(opcode, owner, fields.get(index).name(), descriptor(index));
  }
}
